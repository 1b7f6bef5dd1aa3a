/** One start of the gateway: what must happen before and after the startup script is run. */
import type { StartAnswer } from "#workers/contracts/tenant/sandbox.ts";
import type { StartState } from "../../backup/start/start-state.ts";
import { StateNotReady } from "../../backup/start/state-not-ready.ts";
import type { GatewayEnds } from "./ends.ts";
import type { Hold } from "./hold.ts";
import type { GatewayLaunch } from "./launch.ts";
import type { TrafficGate } from "./traffic-gate.ts";

export interface GatewayStartOptions {
  hold: Pick<Hold, "stands">;
  sleep: {
    /** Waits until the sandbox is not falling asleep. */
    settled(wanted: boolean): Promise<void>;
    /** The sandbox is awake. */
    awake(): Promise<void>;
  };
  ends: Pick<GatewayEnds, "starts">;
  state: Pick<StartState, "prepare" | "started">;
  gate: Pick<TrafficGate, "shut">;
  launch: Pick<GatewayLaunch, "run">;
}

export class GatewayStart {
  readonly #o: GatewayStartOptions;

  constructor(options: GatewayStartOptions) {
    this.#o = options;
  }

  /** @throws StateNotReady when the gateway must not be started */
  async run(): Promise<StartAnswer> {
    const { hold, sleep, ends, state, gate, launch } = this.#o;
    if (await hold.stands()) throw new StateNotReady("the tenant may not be reached, so its gateway is not started");
    await sleep.settled(true);
    await ends.starts();
    const variables = await state.prepare();
    try {
      await gate.shut();
      const answer = await launch.run(variables);
      await sleep.awake();
      return answer;
    } finally {
      state.started();
    }
  }
}
