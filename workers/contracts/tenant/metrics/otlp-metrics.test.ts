import { expect, test } from "vitest";
import { exportMetricsRequest } from "./otlp-metrics.ts";

const withMetric = (metric: unknown) => ({ resourceMetrics: [{ scopeMetrics: [{ metrics: [metric] }] }] });
const withPoint = (point: unknown) => withMetric({ name: "m", sum: { dataPoints: [point] } });
const fault = (body: unknown) => {
  const issue = exportMetricsRequest.safeParse(body).error?.issues[0];
  return issue === undefined ? undefined : issue.path.join(".");
};

/** As the OpenTelemetry SDK for Node writes it. */
const typical = {
  resourceMetrics: [
    {
      resource: { attributes: [{ key: "service.name", value: { stringValue: "gateway" } }], droppedAttributesCount: 0 },
      scopeMetrics: [
        {
          scope: { name: "gateway", version: "" },
          metrics: [
            {
              name: "gen_ai.client.operation.duration",
              description: "GenAI operation duration",
              unit: "s",
              histogram: {
                aggregationTemporality: 2,
                dataPoints: [
                  {
                    attributes: [
                      { key: "gen_ai.operation.name", value: { stringValue: "chat" } },
                      { key: "server.port", value: { intValue: 443 } },
                    ],
                    bucketCounts: [0, "2", 1],
                    explicitBounds: [0.5, 1],
                    count: 3,
                    sum: 2.25,
                    min: 0.25,
                    max: 1.5,
                    startTimeUnixNano: "1700000000000000000",
                    timeUnixNano: "1700000060000000000",
                    exemplars: [
                      {
                        timeUnixNano: "1",
                        asDouble: 1,
                        traceId: "5B8EFFF798038103D269B633813FC60C",
                        spanId: "EEE19B7EC3C1B174",
                      },
                    ],
                  },
                ],
              },
            },
            {
              name: "up",
              gauge: { dataPoints: [{ asInt: "-9223372036854775808", timeUnixNano: 1700000060000000000 }] },
            },
            {
              name: "requests",
              sum: { isMonotonic: true, aggregationTemporality: 1, dataPoints: [{ asDouble: "Infinity" }] },
            },
            {
              name: "sizes",
              exponentialHistogram: {
                aggregationTemporality: 1,
                dataPoints: [
                  { count: "2", scale: -3, zeroCount: 1, positive: { offset: -4, bucketCounts: ["1"] }, negative: {} },
                ],
              },
            },
            {
              name: "old",
              summary: { dataPoints: [{ count: 1, sum: 2, quantileValues: [{ quantile: 0.5, value: 2 }] }] },
            },
          ],
        },
      ],
    },
  ],
};

test("reads every kind of metric, with 64-bit numbers as text or numbers", () => {
  const parsed = exportMetricsRequest.parse(typical);
  const point = parsed.resourceMetrics[0]?.scopeMetrics[0]?.metrics[0]?.histogram?.dataPoints[0];
  expect(point).toMatchObject({ count: 3n, bucketCounts: [0n, 2n, 1n], timeUnixNano: 1_700_000_060_000_000_000n });
});

test("accepts absent, null and unknown fields", () => {
  for (const body of [
    {},
    { resourceMetrics: null },
    { resourceMetrics: [{}] },
    { resourceMetrics: [{ resource: null, scopeMetrics: [{ scope: null, metrics: null, other: 1 }] }], another: {} },
    { resource_metrics: "of another encoding" },
    withPoint({ flags: null, unheardOf: [[[]]] }),
  ])
    expect(fault(body)).toBeUndefined();
});

test.each([
  ["an array", [], ""],
  ["text", "metrics", ""],
  ["null", null, ""],
  ["an object for a list", { resourceMetrics: {} }, "resourceMetrics"],
  ["a number for a resource", { resourceMetrics: [1] }, "resourceMetrics.0"],
  ["a metric without a name", withMetric({}), "resourceMetrics.0.scopeMetrics.0.metrics.0.name"],
  [
    "an enumeration by name",
    withMetric({ name: "m", sum: { aggregationTemporality: "AGGREGATION_TEMPORALITY_DELTA" } }),
    "resourceMetrics.0.scopeMetrics.0.metrics.0.sum.aggregationTemporality",
  ],
  [
    "a negative time",
    withPoint({ timeUnixNano: -1 }),
    "resourceMetrics.0.scopeMetrics.0.metrics.0.sum.dataPoints.0.timeUnixNano",
  ],
  [
    "a time beyond 64 bits",
    withPoint({ timeUnixNano: "18446744073709551616" }),
    "resourceMetrics.0.scopeMetrics.0.metrics.0.sum.dataPoints.0.timeUnixNano",
  ],
  [
    "half a nanosecond",
    withPoint({ timeUnixNano: 1.5 }),
    "resourceMetrics.0.scopeMetrics.0.metrics.0.sum.dataPoints.0.timeUnixNano",
  ],
  [
    "a trace id that is not hex",
    withPoint({ exemplars: [{ traceId: "W47/95gDgQPSabYzgT/GDA==" }] }),
    "resourceMetrics.0.scopeMetrics.0.metrics.0.sum.dataPoints.0.exemplars.0.traceId",
  ],
])("rejects %s at its path", (_, body, path) => {
  expect(fault(body)).toBe(path);
});

test("rejects more resources, attributes or nesting than a request may have", () => {
  expect(fault({ resourceMetrics: Array.from({ length: 101 }, () => ({})) })).toBe("resourceMetrics");
  const attributes = Array.from({ length: 129 }, (_, index) => ({ key: String(index), value: {} }));
  expect(fault(withPoint({ attributes }))).toContain("attributes");
  const nested = (depth: number): object =>
    depth === 0 ? { stringValue: "x" } : { arrayValue: { values: [nested(depth - 1)] } };
  expect(fault(withPoint({ attributes: [{ key: "k", value: nested(8) }] }))).toBeUndefined();
  expect(fault(withPoint({ attributes: [{ key: "k", value: nested(9) }] }))).toContain("attributes.0.value.arrayValue");
});
