/** Starts the gateway once. */
import type { StartAnswer } from "#workers/contracts/tenant/sandbox.ts";
import { StateNotReady } from "../../backup/errors.ts";
import type { StateUpgrade } from "../../backup/upgrade/state-upgrade.ts";
import type { SandboxPort } from "../../sandbox/port.ts";
import type { SleepControl } from "../../sleep/control.ts";
import type { TicketKey } from "../tickets/ticket-key.ts";
import type { GatewayEnds } from "./ends.ts";
import type { EnvironmentMark } from "./environment.ts";
import type { Hold } from "./hold.ts";
import type { TrafficGate } from "./traffic-gate.ts";

export interface StartParts {
  hold: Pick<Hold, "isActive">;
  sleep: Pick<SleepControl, "settle" | "recordAwake">;
  ends: Pick<GatewayEnds, "recordStart">;
  /** Prepares the state. @returns variables for it */
  prepareState: () => Promise<Record<string, string>>;
  upgrade: Pick<StateUpgrade, "endStart">;
  gate: Pick<TrafficGate, "close">;
  sandbox: Pick<SandboxPort, "start">;
  ticketKey: Pick<TicketKey, "startWith">;
  environmentMark: EnvironmentMark;
}

/** @throws StateNotReady when the gateway must not be started */
export async function startGateway(parts: StartParts): Promise<StartAnswer> {
  const { hold, sleep, ends, gate, sandbox, ticketKey, environmentMark } = parts;
  if (await hold.isActive()) throw new StateNotReady("the tenant is frozen or stopped, so its gateway does not start");
  await sleep.settle(true);
  await ends.recordStart();
  const stateVariables = await parts.prepareState();
  try {
    await gate.close();
    const answer = await ticketKey.startWith((keyVariables) =>
      environmentMark.markStart((environment) => sandbox.start({ ...environment, ...keyVariables, ...stateVariables })),
    );
    await sleep.recordAwake();
    return answer;
  } finally {
    parts.upgrade.endStart();
  }
}
