/**
 * The three probes, computed from an observation (spec: "Probe rules"). A probe is `unknown` when the process list or the backup bucket could
 * not be read. A gateway that does not respond is a `failure`.
 */
import type { ProbeResult } from "#workers/contracts/tenant/health-snapshot.ts";
import type { KnownRestore } from "../backup/restore/status.ts";
import type { Observation } from "./observation.ts";

/** Prefix of a readiness error that gives the reason of a failed start. The loading page relies on it. */
export const START_FAILED = "the last start failed: ";

function failure(latencyMs: number, error: string): ProbeResult {
  return { ok: false, status: "failure", latencyMs, error };
}

function success(latencyMs: number): ProbeResult {
  return { ok: true, status: "success", latencyMs };
}

function isOkBody(body: string): boolean {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null && "ok" in value && value.ok === true;
  } catch {
    return false;
  }
}

/** Succeeds when the health path responds with 200 and a JSON body whose `ok` is true. */
export function livenessProbe({ health }: Observation): ProbeResult {
  if (!health.ok) return failure(health.latencyMs, health.error);
  const { status, body } = health.value;
  if (status !== 200) return failure(health.latencyMs, `the gateway's health path responded with ${status}`);
  if (!isOkBody(body))
    return failure(health.latencyMs, "the gateway's health path did not respond with ok: true in JSON");
  return success(health.latencyMs);
}

/** Succeeds when no startup script runs, a gateway process runs, and the health path responds with 200. */
export function readinessProbe({ processes, health, restarting }: Observation): ProbeResult {
  const latencyMs = Math.max(processes.latencyMs, health.latencyMs);
  if (!processes.ok) return { ok: false, status: "unknown", latencyMs, error: processes.error };
  const list = processes.value.processes;
  if (restarting === true) return failure(latencyMs, "the gateway is being restarted");
  if (list.some(({ type }) => type === "script")) return failure(latencyMs, "the startup script is running");
  const gateways = list.filter(({ type }) => type === "gateway");
  if (gateways.length === 0) {
    const last = processes.value.failure;
    return failure(latencyMs, last === undefined ? "the gateway is not running" : START_FAILED + last.message);
  }
  if (!gateways.some(({ status }) => status === "running"))
    return failure(latencyMs, "the gateway process is suspended");
  if (!health.ok) return failure(latencyMs, health.error);
  if (health.value.status !== 200)
    return failure(latencyMs, `the gateway's health path responded with ${health.value.status}`);
  return success(latencyMs);
}

/** Succeeds when liveness and readiness do, and an existing backup is restored. */
export function startupProbe(liveness: ProbeResult, readiness: ProbeResult, restore: KnownRestore): ProbeResult {
  const latencyMs = Math.max(liveness.latencyMs, readiness.latencyMs);
  if (!liveness.ok) return failure(latencyMs, `liveness failed: ${liveness.error}`);
  if (!readiness.ok) return { ...readiness, latencyMs, error: `readiness failed: ${readiness.error}` };
  if (restore === undefined)
    return { ok: false, status: "unknown", latencyMs, error: "the backup bucket could not be read" };
  if (restore.hadBackup && !restore.restored) return failure(latencyMs, "the backup is not restored");
  return success(latencyMs);
}
