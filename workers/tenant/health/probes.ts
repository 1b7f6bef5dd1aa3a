/**
 * The three probes and the gateway's status, from one observation of the sandbox (spec: "Probe rules", "Gateway status
 * derivation"). Pure: what was observed goes in, a snapshot comes out.
 *
 * `unknown` is the outcome of a probe that could not be made, as the process list or the backup bucket could not be read;
 * a gateway that does not answer is a `failure`.
 */
import type { HealthSnapshot, ProbeResult, RestoreStatus } from "../../contracts/health-snapshot.ts";
import type { ProcessList, SandboxProcess } from "../../contracts/sandbox.ts";

/** Something that was looked at, how long it took in milliseconds, and why it failed when it did. */
export type Seen<T> = { ok: true; value: T; latencyMs: number } | { ok: false; error: string; latencyMs: number };

export interface Observation {
  /** When it was made. */
  at: Date;
  processes: Seen<ProcessList>;
  /** The gateway's answer to its health path. */
  health: Seen<{ status: number; body: string }>;
  /** Whether a restart is under way, so that what answers now is about to end. */
  restarting?: boolean;
}

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
    return failure(
      latencyMs,
      last === undefined ? "the gateway is not running" : `the last start failed: ${last.message}`,
    );
  }
  if (!gateways.some(({ status }) => status === "running"))
    return failure(latencyMs, "the gateway process is suspended");
  if (!health.ok) return failure(latencyMs, health.error);
  if (health.value.status !== 200)
    return failure(latencyMs, `the gateway's health path answered ${health.value.status}`);
  return success(latencyMs);
}

/** `undefined` when the backup bucket could not be read. */
export type KnownRestore = RestoreStatus | undefined;

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

/**
 * Remembers a successful startup until readiness reports `failure`, it is cleared, or the Worker starts cold. A readiness that
 * is `unknown` says nothing against it: startup then stays ok while no traffic is admitted (spec: "Degraded", "Dead").
 * Looks overlap, so one that began before the last failure, or the last clearing, is not remembered.
 */
export class StartupCache {
  #succeeded = false;
  /** Only what is seen after this, in milliseconds since the epoch, is remembered. */
  #droppedAt = Number.NEGATIVE_INFINITY;

  /** @param at when, in milliseconds since the epoch */
  clear(at: number = Date.now()): void {
    this.#succeeded = false;
    this.#droppedAt = Math.max(this.#droppedAt, at);
  }

  /** @param at when the look began that the probes are of */
  evaluate(at: Date, liveness: ProbeResult, readiness: ProbeResult, restore: KnownRestore): ProbeResult {
    if (readiness.status === "failure") this.clear(at.getTime());
    if (this.#succeeded) return success(0);
    const fresh = startupProbe(liveness, readiness, restore);
    this.#succeeded = fresh.ok && at.getTime() > this.#droppedAt;
    return fresh;
  }
}

function gatewayStatus(readiness: ProbeResult, liveness: ProbeResult, processes: Observation["processes"]) {
  if (readiness.ok) return "running";
  // What answers is there, also when the list of processes cannot be read.
  const exists = processes.ok ? processes.value.processes.length > 0 : liveness.ok;
  return exists ? "starting" : "stopped";
}

function principal(list: readonly SandboxProcess[]): SandboxProcess | undefined {
  return list.find(({ type }) => type === "gateway") ?? list.find(({ type }) => type === "script");
}

/** The whole snapshot. A restore status that is not known counts as a backup not yet restored. */
export function healthSnapshot(observation: Observation, cache: StartupCache, restore: KnownRestore): HealthSnapshot {
  const liveness = livenessProbe(observation);
  const readiness = readinessProbe(observation);
  const detected = observation.processes.ok ? principal(observation.processes.value.processes) : undefined;
  return {
    ts: observation.at.toISOString(),
    startup: cache.evaluate(observation.at, liveness, readiness, restore),
    readiness,
    liveness,
    restoreStatus: restore ?? { hadBackup: true, restored: false },
    status: gatewayStatus(readiness, liveness, observation.processes),
    ...(detected === undefined ? {} : { processId: detected.id, processType: detected.type }),
  };
}
