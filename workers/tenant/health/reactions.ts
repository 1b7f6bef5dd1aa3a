/** Passes what a health check observes to the parts that act on it. */
import type { HealthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import type { LastBackup } from "../backup/last-backup.ts";
import type { StateUpgrade } from "../backup/upgrade/state-upgrade.ts";
import type { GatewayEnds } from "../gateway/process/ends.ts";
import type { GatewayLifecycle } from "../gateway/process/lifecycle.ts";
import type { TrafficGate } from "../gateway/process/traffic-gate.ts";
import type { TicketKeyRotation } from "../gateway/tickets/rotation.ts";
import type { Scarcity } from "../sandbox/scarcity.ts";
import type { SleepControl } from "../sleep/control.ts";
import type { HangRecovery } from "./hang-recovery.ts";
import type { Observation } from "./observation.ts";

export interface ReactionParts {
  sleep: Pick<SleepControl, "recordCall" | "recordAwake">;
  scarcity: Pick<Scarcity, "observe">;
  upgrade: Pick<StateUpgrade, "observe">;
  lastBackup: Pick<LastBackup, "observe">;
  gate: Pick<TrafficGate, "update">;
  recovery: Pick<HangRecovery, "observe">;
  lifecycle: Pick<GatewayLifecycle, "resetBackoff">;
  ends: Pick<GatewayEnds, "recordRunning" | "recordAbsence">;
  rotation: Pick<TicketKeyRotation, "rotate">;
}

/** Acts on the sandbox's state. Call before the gateway is started and traffic passes. */
export async function reactToObservation(parts: ReactionParts, { processes, at }: Observation): Promise<void> {
  if (!processes.ok) return;
  const { sleep, scarcity, upgrade, lastBackup, ends } = parts;
  const list = processes.value;
  if (list.activity !== undefined) await sleep.recordAwake();
  else await ends.recordAbsence(at);
  if (list.resources !== undefined) await scarcity.observe(list.resources);
  // Before traffic passes: an incomplete upgrade would lose what the traffic writes.
  await upgrade.observe(list, at);
  lastBackup.observe(list.ending ?? false, list.processes.length > 0);
}

/** Acts on the gateway's state. */
export async function reactToSnapshot(
  { gate, recovery, lifecycle, ends, rotation }: ReactionParts,
  observation: Observation,
  { status, processId }: HealthSnapshot,
): Promise<void> {
  const isRunning = status === "running";
  await gate.update(observation.at, isRunning);
  await recovery.observe(observation);
  if (!isRunning) return;
  lifecycle.resetBackoff();
  if (!processId) return;
  await ends.recordRunning(processId, observation.at);
  if (!observation.restarting) rotation.rotate(processId);
}
