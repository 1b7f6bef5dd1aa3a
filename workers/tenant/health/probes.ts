/**
 * The three probes, from one observation of the sandbox (spec: "Probe rules"). Pure.
 *
 * `unknown` is the outcome of a probe that could not be made, as the process list or the backup bucket could not be read;
 * a gateway that does not answer is a `failure`.
 */
import type { ProbeResult } from "#workers/contracts/tenant/health-snapshot.ts";
import type { KnownRestore } from "../backup/restore/status.ts";
import type { Observation } from "./observation.ts";

/** How a readiness begins to tell why the last start came to nothing. */
export const START_FAILED = "the last start failed: ";

function failure(latencyMs: number, error: string): ProbeResult {
  return { ok: false, status: "failure", latencyMs, error };
}

function success(latencyMs: number): ProbeResult {
  return { ok: true, status: "success", latencyMs };
}

function saysOk(body: string): boolean {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null && "ok" in value && value.ok === true;
  } catch {
    return false;
  }
}

/** Is the gateway alive? HTTP 200 with a JSON body whose `ok` is true. */
export function livenessProbe({ health }: Observation): ProbeResult {
  if (!health.ok) return failure(health.latencyMs, health.error);
  const { status, body } = health.value;
  if (status !== 200) return failure(health.latencyMs, `the gateway's health path answered ${status}`);
  if (!saysOk(body)) return failure(health.latencyMs, "the gateway's health path did not answer JSON with ok: true");
  return success(health.latencyMs);
}

/** Is the Worker ready for traffic? No startup script, a running gateway process, and health answers 200. */
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
    return failure(latencyMs, `the gateway's health path answered ${health.value.status}`);
  return success(latencyMs);
}

/** Has one-time initialization completed? Liveness, readiness, and a restored backup where there was one. */
export function startupProbe(liveness: ProbeResult, readiness: ProbeResult, restore: KnownRestore): ProbeResult {
  const latencyMs = Math.max(liveness.latencyMs, readiness.latencyMs);
  if (!liveness.ok) return failure(latencyMs, `liveness failed: ${liveness.error}`);
  if (!readiness.ok) return { ...readiness, latencyMs, error: `readiness failed: ${readiness.error}` };
  if (restore === undefined)
    return { ok: false, status: "unknown", latencyMs, error: "the backup bucket could not be read" };
  if (restore.hadBackup && !restore.restored) return failure(latencyMs, "the backup is not restored");
  return success(latencyMs);
}
