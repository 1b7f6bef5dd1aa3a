/**
 * Data points of the analytics dataset: cost metrics (spec: routing document, "Events") and the container's heartbeat, in one layout. Unused
 * columns are empty or 0. `docs/reference/metrics.md` documents this table.
 */
import { ANALYTICS_POINTS } from "@tenantry/cloudflare-limits/values";
import type { SandboxResources } from "../sandbox.ts";

/** Name of each metric (`blob1`) and unit of its value (`double1`). */
export const METRIC_UNITS = {
  /** Requests to a model, from the AI gateway's log or the gateway's reports; tokens are in `double2` and `double3`. */
  ai_queries: "queries",
  /** Their cost in the AI gateway's log. */
  ai_spend: "millionths of a US dollar",
  /** Time with traffic. */
  container_activity: "seconds",
  /** Time awake. */
  container_uptime: "seconds",
  /** Bytes of backups and restores between container and bucket. */
  object_storage_bandwidth: "bytes",
  /** Failed backups and restores, and damaged backups, by status. */
  backup_failures: "failures",
  /** Requests of the container that the policy of its network access decided about, by `status`: `allowed` or `refused`. */
  egress_requests: "requests",
  /** Messages of webhooks, by what became of them (`status`). */
  inbox_messages: "messages",
  /** Once a minute while there are any: messages that wait (`pending`) or failed for good (`dead`), by `status`. Not an increment. */
  inbox_depth: "messages",
  /** With it: age of the oldest message that waits. Not an increment. */
  inbox_age: "seconds",
  /** Once a minute while there are any: connections of socket channels that failed, by messenger (`provider`). Not an increment. */
  channel_failures: "connections",
  /** WebSockets opened to the gateway. */
  websocket_sessions: "sessions",
  /** Once a minute while the container is awake; the value is 1. */
  container_heartbeat: "heartbeats",
} as const;
export type Metric = keyof typeof METRIC_UNITS;

/** Columns after the metric's name, from `blob2` on. */
export const DIMENSIONS = ["status", "environment", "direction", "operation", "provider", "model", "person"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export interface Measurement {
  metric: Metric;
  /** In the metric's unit. */
  value: number;
  inputTokens?: number;
  outputTokens?: number;
  /** For a heartbeat: resource use at the last probe of the container. */
  resources?: SandboxResources;
  dimensions: Partial<Record<Dimension, string>>;
}

/** Points of an invocation, below Cloudflare's limit; the next one writes the rest. */
export const MAX_POINTS = 0.8 * ANALYTICS_POINTS;
/** Maximum UTF-16 units of a dimension; seven of them are far below the limit of a point. */
export const MAX_DIMENSION_LENGTH = 128;

export interface CostPoint {
  indexes: [string];
  blobs: string[];
  doubles: number[];
}

/** @param tenant slug, the index of the point (at most 96 bytes) */
export function costPoint(tenant: string, measurement: Measurement): CostPoint {
  const { metric, value, inputTokens = 0, outputTokens = 0, dimensions } = measurement;
  const { disk, memory } = measurement.resources ?? {};
  const used = [disk?.usedBytes, disk?.totalBytes, memory?.usedBytes, memory?.totalBytes];
  // Missing columns are 0.
  const gauges = used.some((bytes) => bytes !== undefined) ? used.map((bytes = 0) => bytes) : [];
  const columns = DIMENSIONS.map((name) => (dimensions[name] ?? "").slice(0, MAX_DIMENSION_LENGTH));
  if (columns.at(-1) === "") columns.pop();
  return { indexes: [tenant], blobs: [metric, ...columns], doubles: [value, inputTokens, outputTokens, ...gauges] };
}
