import { expect, test } from "vitest";
import { CUMULATIVE, DELTA, exportMetricsRequest } from "#workers/contracts/tenant/metrics/otlp-metrics.ts";
import { aiUsage } from "./ai-usage.ts";

const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const chat = [attribute("gen_ai.operation.name", "chat"), attribute("gen_ai.provider.name", "openai")];
const point = (changed: object = {}) => ({
  attributes: [...chat, attribute("gen_ai.request.model", "gpt-5")],
  startTimeUnixNano: "1700000000000000000",
  timeUnixNano: "1700000060000000000",
  count: "3",
  sum: 4.5,
  ...changed,
});
const DURATION = "gen_ai.client.operation.duration";
const TOKENS = "gen_ai.client.token.usage";

const usageOf = (metrics: unknown[], resource: unknown = undefined, isCounted = (_server: string) => true) =>
  aiUsage(exportMetricsRequest.parse({ resourceMetrics: [{ resource, scopeMetrics: [{ metrics }] }] }), isCounted);
const histogram = (name: string, dataPoints: unknown[], aggregationTemporality: unknown = DELTA) => ({
  name,
  histogram: { aggregationTemporality, dataPoints },
});

test("counts operations as queries, and token usage by type", async () => {
  const token = (type: string, sum: number) =>
    point({ attributes: [...chat, attribute("gen_ai.token.type", type)], sum });
  const { points, rejections } = await usageOf([
    histogram(DURATION, [point()]),
    histogram(TOKENS, [token("input", 900), token("output", 80), token("cached", 7)]),
    { name: "openclaw.tokens", sum: { aggregationTemporality: CUMULATIVE, dataPoints: [{ asInt: "5" }] } },
  ]);
  expect(rejections.size).toBe(0);
  expect(
    points.map(({ quantity, value, operation, provider, model }) => [quantity, value, operation, provider, model]),
  ).toEqual([
    ["queries", 3, "chat", "openai", "gpt-5"],
    ["inputTokens", 900, "chat", "openai", ""],
    ["outputTokens", 80, "chat", "openai", ""],
  ]);
  expect(points[0]).toMatchObject({ temporality: "delta", start: "1700000000000000000", time: "1700000060000000000" });
});

test("counts exponential histograms, and supports names of older conventions", async () => {
  const old = [attribute("gen_ai.system", "anthropic"), attribute("gen_ai.response.model", "claude")];
  const { points } = await usageOf([
    {
      name: DURATION,
      exponentialHistogram: { aggregationTemporality: CUMULATIVE, dataPoints: [point({ attributes: old })] },
    },
  ]);
  expect(points).toMatchObject([
    { temporality: "cumulative", value: 3, operation: "", provider: "anthropic", model: "claude" },
  ]);
});

test("truncates a long name without merging its series", async () => {
  const named = (model: string) => point({ attributes: [...chat, attribute("gen_ai.request.model", model)] });
  const { points } = await usageOf([
    histogram(
      DURATION,
      ["a", "b"].map((end) => named("m".repeat(1000) + end)),
    ),
  ]);
  expect(points.map(({ model }) => model.length)).toEqual([128, 128]);
  expect(new Set(points.map(({ series }) => series)).size).toBe(2);
});

test("ignores operations that do not query a model", async () => {
  const named = (name: string) => point({ attributes: [attribute("gen_ai.operation.name", name)] });
  const { points, rejections } = await usageOf([
    histogram(DURATION, ["execute_tool", "invoke_agent", "create_agent", "embeddings"].map(named)),
  ]);
  expect(points.map(({ operation }) => operation)).toEqual(["embeddings"]);
  expect(rejections.size).toBe(0);
});

test("ignores a point without a recorded value", async () => {
  const { points, rejections } = await usageOf([histogram(DURATION, [point({ flags: 1 })])]);
  expect([points.length, rejections.size]).toEqual([0, 0]);
});

test("rejects points that cannot be counted, by reason", async () => {
  const { points, rejections } = await usageOf([
    { name: DURATION, sum: { aggregationTemporality: DELTA, dataPoints: [{ asInt: 1 }, { asInt: 2 }] } },
    { name: TOKENS, gauge: { dataPoints: [{ asDouble: 1 }] } },
    histogram(DURATION, [point()], 0),
    histogram(DURATION, [point({ timeUnixNano: undefined }), point({ count: "18446744073709551615" }), point()]),
    histogram(TOKENS, [
      ...[-1, "NaN", undefined].map((sum) => point({ attributes: [attribute("gen_ai.token.type", "input")], sum })),
    ]),
  ]);
  expect(points).toHaveLength(1);
  expect(Object.fromEntries(rejections)).toEqual({
    [`${DURATION} must be a histogram`]: 2,
    [`${TOKENS} must be a histogram`]: 1,
    [`the aggregationTemporality of ${DURATION} must be 1 or 2`]: 1,
    [`a point of ${DURATION} has no timeUnixNano`]: 1,
    [`a point of ${DURATION} has no usable count`]: 1,
    [`a point of ${TOKENS} has no usable sum`]: 3,
  });
});

test("identifies a series by source and attributes in any order, and by the start of a cumulative one", async () => {
  const seriesOf = async (changed: object, temporality = CUMULATIVE, resource?: unknown) =>
    (await usageOf([histogram(DURATION, [point(changed)], temporality)], resource)).points[0]?.series;
  const one = await seriesOf({});
  expect(await seriesOf({ attributes: [...point().attributes].reverse() })).toBe(one);
  expect(await seriesOf({ timeUnixNano: "1700000090000000000", count: 9 })).toBe(one);
  const others = [
    await seriesOf({ startTimeUnixNano: "1700000000000000001" }),
    await seriesOf({ attributes: chat }),
    await seriesOf({}, DELTA),
    await seriesOf({}, CUMULATIVE, { attributes: [attribute("service.instance.id", "another")] }),
  ];
  expect(new Set([one, ...others]).size).toBe(5);
  expect(await seriesOf({ startTimeUnixNano: "1700000000000000001" }, DELTA)).toBe(await seriesOf({}, DELTA));
});
