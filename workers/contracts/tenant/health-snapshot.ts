/**
 * A tenant's health snapshot (spec: "Health snapshot"): the body of `GET /api/health` and each message of `GET /api/health/ws`.
 */
import * as z from "zod";

/** Probe timeout in passive mode, in milliseconds. */
export const PASSIVE_PROBE_TIMEOUT_MS = 3_000;
/** Interval between snapshots on the stream, in milliseconds. */
export const HEALTH_WS_POLL_INTERVAL_MS = 5_000;
/** Port the gateway listens on inside its sandbox. */
export const GATEWAY_PORT = 18_789;
export const GATEWAY_HEALTH_PATH = "/health";

/** `error` is present if `ok` is false. */
export const probeResult = z.object({
  ok: z.boolean(),
  status: z.enum(["success", "failure", "unknown"]),
  latencyMs: z.number().nonnegative(),
  error: z.string().optional(),
});
export type ProbeResult = z.infer<typeof probeResult>;

export const restoreStatus = z.object({
  /** Whether a restorable backup existed at startup. */
  hadBackup: z.boolean(),
  /** Whether the newest backup was restored. */
  restored: z.boolean(),
});
export type RestoreStatus = z.infer<typeof restoreStatus>;

export const healthSnapshot = z.object({
  /** ISO 8601 UTC with milliseconds. */
  ts: z.iso.datetime({ precision: 3 }),
  startup: probeResult,
  readiness: probeResult,
  liveness: probeResult,
  restoreStatus,
  status: z.enum(["running", "starting", "stopped"]),
  processId: z.string().optional(),
  processType: z.enum(["gateway", "script"]).optional(),
  /** Present while the inbox has no room for another webhook. */
  inboxFull: z.literal(true).optional().catch(undefined),
  /** Present while the last backup failed or was refused. Absent also if the tenant's Worker is of an earlier version. */
  backupFailed: z.literal(true).optional().catch(undefined),
});
export type HealthSnapshot = z.infer<typeof healthSnapshot>;
