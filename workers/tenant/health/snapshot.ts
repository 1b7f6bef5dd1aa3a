/** Computes a snapshot from an observation (spec: "Gateway status derivation"). */
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
  // A live gateway exists even when the process list cannot be read.
  const exists = processes.ok ? processes.value.processes.length > 0 : liveness.ok;
  return exists ? "starting" : "stopped";
}

function mainProcess(list: readonly SandboxProcess[]): SandboxProcess | undefined {
  return list.find(({ type }) => type === "gateway") ?? list.find(({ type }) => type === "script");
}

/** An unknown restore status counts as a backup that is not restored. */
export function healthSnapshot(observation: Observation, cache: StartupCache, restore: KnownRestore): HealthSnapshot {
  const liveness = livenessProbe(observation);
  const readiness = readinessProbe(observation);
  const detected = observation.processes.ok ? mainProcess(observation.processes.value.processes) : undefined;
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
