/** Ensures on an activating call that the gateway runs, with the environment of this deployment. */

import { within } from "@tenantry/std/within";
import { log } from "#workers/shared/log.ts";
import type { BackupMaker } from "../../backup/create/maker.ts";
import { StateNotReady } from "../../backup/start/state-not-ready.ts";
import type { RecordEvent } from "../../event-log.ts";
import type { Observation } from "../../health/observation.ts";
import type { GatewayLaunch } from "./launch.ts";
import type { GatewayLifecycle } from "./lifecycle.ts";

/** How long a health check waits for a start, in milliseconds. A container may take longer to boot. */
const START_WAIT_MS = 5_000;

export interface GatewayActivationOptions {
  lifecycle: Pick<GatewayLifecycle, "start" | "restart" | "mayStart" | "isRestarting">;
  launch: Pick<GatewayLaunch, "isOutdated">;
  maker: Pick<BackupMaker, "backUp">;
  record: RecordEvent;
  /** Keeps the object alive until the work is done. */
  waitUntil: (work: Promise<unknown>) => void;
}

export class GatewayActivation {
  readonly #o: GatewayActivationOptions;

  constructor(options: GatewayActivationOptions) {
    this.#o = options;
  }

  get isRestarting(): boolean {
    return this.#o.lifecycle.isRestarting;
  }

  /** Starts the gateway when neither it nor a start was observed. @returns the observation, with the start */
  async ensure(observation: Observation): Promise<Observation> {
    const { processes } = observation;
    if (!processes.ok) return observation;
    if (processes.value.processes.length > 0) {
      await this.#renew();
      return observation;
    }
    const { lifecycle } = this.#o;
    if (!lifecycle.mayStart) return observation;
    try {
      const answer = await within(START_WAIT_MS, lifecycle.start());
      if (answer === undefined) return observation;
      return { ...observation, processes: { ...processes, value: { processes: [answer.process] } } };
    } catch (error) {
      log("error", "start.failed", { message: String(error) });
      const at = new Date().toISOString();
      const message = error instanceof StateNotReady ? error.message : "the sandbox could not run the startup script";
      const failure = { at, exitCode: null, message };
      return { ...observation, processes: { ...processes, value: { processes: [], failure } } };
    }
  }

  /** Begins a restart when the gateway has the environment of an earlier deployment. */
  async #renew(): Promise<void> {
    const { lifecycle, launch, maker, record, waitUntil } = this.#o;
    if (lifecycle.isRestarting || !(await launch.isOutdated())) return;
    record("environment.changed", {});
    // The state survives the restart, so the restart goes on when the backup fails.
    const restart = lifecycle.restart(() => maker.backUp().catch(() => {}));
    waitUntil(restart.catch(() => {}));
  }
}
