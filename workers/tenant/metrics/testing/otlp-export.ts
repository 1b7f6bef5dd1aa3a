/** Exports in the format of an SDK in a gateway. */

const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });

/**
 * Returns queries to `model`, each with 100 input and 10 output tokens, as JSON.
 *
 * @param count since `start`
 * @param o times in seconds from any origin; cumulative by default; `server` is OpenAI's by default
 */
export function exportOf(
  count: number,
  o: { start?: number; time: number; temporality?: number; model: string; server?: string },
): string {
  const attributes = [
    attribute("gen_ai.operation.name", "chat"),
    attribute("gen_ai.provider.name", "openai"),
    attribute("gen_ai.request.model", o.model),
    attribute("server.address", o.server ?? "api.openai.com"),
  ];
  const nano = (seconds: number) => `${1_700_000_000 + seconds}000000000`;
  const point = (more: object[], changed: object) => ({
    attributes: [...attributes, ...more],
    startTimeUnixNano: nano(o.start ?? 0),
    timeUnixNano: nano(o.time),
    count: String(count),
    ...changed,
  });
  const histogram = (dataPoints: object[]) => ({ aggregationTemporality: o.temporality ?? 2, dataPoints });
  const tokens = (type: string, sum: number) => point([attribute("gen_ai.token.type", type)], { sum });
  const metrics = [
    { name: "gen_ai.client.operation.duration", unit: "s", histogram: histogram([point([], { sum: 1.5 })]) },
    {
      name: "gen_ai.client.token.usage",
      unit: "{token}",
      histogram: histogram([tokens("input", 100 * count), tokens("output", 10 * count)]),
    },
  ];
  return JSON.stringify({
    resourceMetrics: [{ resource: {}, scopeMetrics: [{ scope: { name: "gateway" }, metrics }] }],
  });
}
