/** Passes snapshots to those who act on the gateway: its traffic, its recovery, its ends and its ticket key. */
import type { HealthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import type { GatewayEnds } from "../gateway/process/ends.ts";
import type { GatewayLifecycle } from "../gateway/process/lifecycle.ts";
import type { TrafficGate } from "../gateway/process/traffic-gate.ts";
import type { TicketKeyRotation } from "../gateway/tickets/rotation.ts";
import type { HangRecovery } from "./hang-recovery.ts";
import type { Observation } from "./observation.ts";

export interface GatewayReactionsOptions {
  gate: Pick<TrafficGate, "observed">;
  recovery: Pick<HangRecovery, "observed">;
  lifecycle: Pick<GatewayLifecycle, "runs">;
  ends: Pick<GatewayEnds, "runs">;
  rotation: Pick<TicketKeyRotation, "rotate">;
}

export class GatewayReactions {
  readonly #o: GatewayReactionsOptions;

  constructor(options: GatewayReactionsOptions) {
    this.#o = options;
  }

  async evaluated(observation: Observation, { status, processId }: HealthSnapshot): Promise<void> {
    const { gate, recovery, lifecycle, ends, rotation } = this.#o;
    const isRunning = status === "running";
    await gate.observed(observation.at, isRunning);
    await recovery.observed(observation);
    if (!isRunning) return;
    lifecycle.runs();
    if (!processId) return;
    await ends.runs(processId, observation.at);
    if (!observation.restarting) rotation.rotate(processId);
  }
}
