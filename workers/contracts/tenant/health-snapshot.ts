/**
 * A tenant's health snapshot (spec: "Health snapshot"): the body of `GET /api/health` and each message of `GET /api/health/ws`.
 */
import * as z from "zod";
import { MAX_NEW_DEVICES, newDevice } from "./devices.ts";

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

/** Most unexpected restores in a snapshot. */
export const MAX_UNEXPECTED_RESTORES = 5;

/** A restore that nobody ordered and that may have lost changes. Times are ISO 8601 UTC. */
export const unexpectedRestore = z.object({
  /** Identifies the restore. */
  at: z.iso.datetime({ precision: 3 }),
  /** The restored backup; absent when the tenant started with a new state. */
  backup: z
    .object({
      id: z.string().regex(/^[\w-]{1,200}$/),
      createdAt: z.iso.datetime(),
      bytes: z.number().int().nonnegative(),
    })
    .optional(),
  /** When the gateway was found to have ended without an order, whose disk was lost; absent after an ordered end. */
  endedAt: z.iso.datetime().optional(),
  /** When the newest backup that was found damaged was made; absent when none was. */
  damaged: z.iso.datetime().optional(),
});
export type UnexpectedRestore = z.infer<typeof unexpectedRestore>;

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
  /** Unexpected restores of the last week, oldest first. Absent without one, or if the tenant's Worker is of an earlier version. */
  unexpectedRestores: z.array(unexpectedRestore).max(MAX_UNEXPECTED_RESTORES).optional().catch(undefined),
  /**
   * New devices of the last two days, oldest first, for administrators and the platform. Absent without one, or if the tenant's Worker is of an
   * earlier version.
   */
  newDevices: z.array(newDevice).max(MAX_NEW_DEVICES).optional().catch(undefined),
});
export type HealthSnapshot = z.infer<typeof healthSnapshot>;
