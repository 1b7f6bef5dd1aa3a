/** A snapshot from one observation of the sandbox (spec: "Gateway status derivation"). Pure but for the cache. */
import type { HealthSnapshot, ProbeResult } from "#workers/contracts/tenant/health-snapshot.ts";
import type { SandboxProcess } from "#workers/contracts/tenant/sandbox.ts";
import type { KnownRestore } from "../backup/restore/status.ts";
import type { Observation } from "./observation.ts";
import { livenessProbe, readinessProbe } from "./probes.ts";
import type { StartupCache } from "./startup-cache.ts";

function gatewayStatus(
  readiness: ProbeResult,
  liveness: ProbeResult,
  processes: Observation["processes"],
): HealthSnapshot["status"] {
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
