/**
 * Extracts model queries from an OTLP request (vendor: "Semantic conventions for generative AI metrics"): the count of
 * `gen_ai.client.operation.duration`, and the tokens of `gen_ai.client.token.usage`. All other metrics are ignored.
 */
import { MAX_DIMENSION_LENGTH } from "#workers/contracts/tenant/metrics/cost-metrics.ts";
import {
  CUMULATIVE,
  DELTA,
  type ExportMetricsRequest,
  type KeyValue,
  NO_RECORDED_VALUE,
  type OtlpMetric,
} from "#workers/contracts/tenant/metrics/otlp-metrics.ts";
import { type Rejections, reject } from "./rejections.ts";
import type { SeriesPoint } from "./series.ts";

const DURATION = "gen_ai.client.operation.duration";
const TOKENS = "gen_ai.client.token.usage";
/** Operations that do not query a model. Their queries are reported as operations of their own. */
const NO_QUERIES: ReadonlySet<string> = new Set([
  "create_agent",
  "execute_tool",
  "invoke_agent",
  "invoke_workflow",
  "retrieval",
]);

export type AiQuantity = "queries" | "inputTokens" | "outputTokens";

export interface AiUsagePoint extends SeriesPoint {
  /** Identifies the series. */
  series: string;
  quantity: AiQuantity;
  operation: string;
  provider: string;
  model: string;
}

export interface AiUsage {
  points: AiUsagePoint[];
  rejections: Rejections;
}

interface Distribution {
  attributes: KeyValue[];
  startTimeUnixNano: bigint;
  timeUnixNano: bigint;
  flags: number;
  count: bigint;
  sum?: number | string | null | undefined;
}

interface Distributions {
  dataPoints: Distribution[];
  aggregationTemporality: number;
}

/** Returns the points to count, in the order of the request. @param isCounted as {@link AiUsageCounter.counts} */
export async function aiUsage(request: ExportMetricsRequest, isCounted: (server: string) => boolean): Promise<AiUsage> {
  const usage: AiUsage = { points: [], rejections: new Map() };
  for (const { resource, scopeMetrics } of request.resourceMetrics) {
    for (const { scope, metrics } of scopeMetrics) {
      for (const metric of metrics.filter(({ name }) => name === DURATION || name === TOKENS)) {
        const source = [canonical(resource?.attributes), scope?.name, scope?.version, canonical(scope?.attributes)];
        await addMetric(usage, metric, source, isCounted);
      }
    }
  }
  return usage;
}

async function addMetric(
  usage: AiUsage,
  metric: OtlpMetric,
  source: unknown[],
  isCounted: (server: string) => boolean,
): Promise<void> {
  const { name, unit } = metric;
  for (const other of [metric.gauge, metric.sum, metric.summary])
    reject(usage.rejections, `${name} must be a histogram`, other?.dataPoints.length ?? 0);
  const kinds: Record<string, Distributions | null | undefined> = {
    histogram: metric.histogram,
    exponentialHistogram: metric.exponentialHistogram,
  };
  for (const [kind, data] of Object.entries(kinds)) {
    if (!data) continue;
    const temporality = temporalityOf(data.aggregationTemporality);
    if (temporality === undefined) {
      reject(usage.rejections, `the aggregationTemporality of ${name} must be 1 or 2`, data.dataPoints.length);
      continue;
    }
    for (const point of data.dataPoints) {
      const read = readPoint(name, temporality, point, isCounted);
      if (read === undefined) continue;
      if (typeof read === "string") {
        reject(usage.rejections, read);
        continue;
      }
      // A cumulative series counts from zero after a restart.
      const start = temporality === "cumulative" ? read.start : undefined;
      const series = await digest([source, name, unit, kind, temporality, start, canonical(point.attributes)]);
      usage.points.push({ series, ...read });
    }
  }
}

function temporalityOf(value: number): SeriesPoint["temporality"] | undefined {
  if (value === DELTA) return "delta";
  return value === CUMULATIVE ? "cumulative" : undefined;
}

/** @returns why the point is rejected; `undefined` when it is not counted */
function readPoint(
  name: string,
  temporality: SeriesPoint["temporality"],
  point: Distribution,
  isCounted: (server: string) => boolean,
): Omit<AiUsagePoint, "series"> | string | undefined {
  if ((point.flags & NO_RECORDED_VALUE) !== 0) return undefined;
  const attribute = (...keys: string[]): string => {
    for (const key of keys) {
      const value = point.attributes.find((candidate) => candidate.key === key)?.value?.stringValue;
      if (value) return value.slice(0, MAX_DIMENSION_LENGTH);
    }
    return "";
  };
  const operation = attribute("gen_ai.operation.name");
  if (NO_QUERIES.has(operation) || !isCounted(attribute("server.address"))) return undefined;
  const quantity = name === DURATION ? "queries" : tokenQuantity(attribute("gen_ai.token.type"));
  if (quantity === undefined) return undefined;
  if (point.timeUnixNano === 0n) return `a point of ${name} has no timeUnixNano`;
  const field = quantity === "queries" ? "count" : "sum";
  const value = Number(point[field] ?? Number.NaN);
  if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER)) return `a point of ${name} has no usable ${field}`;
  return {
    temporality,
    start: String(point.startTimeUnixNano),
    time: String(point.timeUnixNano),
    value,
    quantity,
    operation,
    // Second names: of older releases of the conventions.
    provider: attribute("gen_ai.provider.name", "gen_ai.system"),
    model: attribute("gen_ai.request.model", "gen_ai.response.model"),
  };
}

function tokenQuantity(type: string): AiQuantity | undefined {
  if (type === "input") return "inputTokens";
  return type === "output" ? "outputTokens" : undefined;
}

/** Serializes attributes independently of their order. */
function canonical(attributes: KeyValue[] = []): string {
  return JSON.stringify([...attributes].sort((a, b) => (a.key < b.key ? -1 : 1)));
}

async function digest(identity: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(identity));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return btoa(String.fromCharCode(...hash));
}
