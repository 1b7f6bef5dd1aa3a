/**
 * Data points of the analytics dataset: the cost metrics (spec: routing document, "Events") and the container's heartbeat.
 * One layout serves all; a column that a metric does not use is empty, or 0. `docs/reference/metrics.md` is written from this.
 */
import type { SandboxResources } from "./sandbox.ts";

/** Every metric, by the name in `blob1`, and the unit of its `double1`. */
export const METRIC_UNITS = {
  /** Requests to a model, as the AI gateway's log has them or the gateway reports them; their tokens are in `double2` and `double3`. */
  ai_queries: "queries",
  /** What they cost, as the AI gateway's log has it. */
  ai_spend: "millionths of a US dollar",
  /** Time during which there was traffic. */
  container_activity: "seconds",
  /** Time during which the container was awake. */
  container_uptime: "seconds",
  /** Bytes of backups and restores between container and bucket. */
  object_storage_bandwidth: "bytes",
  /** Backups and restores that came to nothing, and backups found damaged; which is its status. */
  backup_failures: "failures",
  /** WebSockets opened to the gateway. */
  websocket_sessions: "sessions",
  /** Once a minute while the container is awake; the value is 1. */
  container_heartbeat: "heartbeats",
} as const;
export type Metric = keyof typeof METRIC_UNITS;

/** The columns after the metric's name, in their order: the first is `blob2`. */
export const DIMENSIONS = ["status", "environment", "direction", "operation", "provider", "model"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export interface Measurement {
  metric: Metric;
  /** In the metric's unit. */
  value: number;
  inputTokens?: number;
  outputTokens?: number;
  /** Of a heartbeat: what was used when the container was last looked at. */
  resources?: SandboxResources;
  dimensions: Partial<Record<Dimension, string>>;
}

/** Points an invocation may write are 250 (vendor: "Workers Analytics Engine", "Limits"); the rest waits for the next. */
export const MAX_POINTS = 200;
/** Longest text kept of a dimension, in UTF-16 units; six of them stay far below the 16 KB a point may have. */
export const MAX_DIMENSION_LENGTH = 128;

export interface CostPoint {
  indexes: [string];
  blobs: string[];
  doubles: number[];
}

/**
 * A measurement as it is written.
 *
 * @param tenant the tenant's slug, which is the index and so at most 96 bytes
 */
export function costPoint(tenant: string, measurement: Measurement): CostPoint {
  const { metric, value, inputTokens = 0, outputTokens = 0, dimensions } = measurement;
  const { disk, memory } = measurement.resources ?? {};
  const used = [disk?.usedBytes, disk?.totalBytes, memory?.usedBytes, memory?.totalBytes];
  // Left out they are 0.
  const gauges = used.some((bytes) => bytes !== undefined) ? used.map((bytes = 0) => bytes) : [];
  const columns = DIMENSIONS.map((name) => (dimensions[name] ?? "").slice(0, MAX_DIMENSION_LENGTH));
  return { indexes: [tenant], blobs: [metric, ...columns], doubles: [value, inputTokens, outputTokens, ...gauges] };
}
