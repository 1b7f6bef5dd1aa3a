/** Restarts a gateway that hangs. Its process runs, so this never starts a stopped gateway. */

import type { RecordEvent } from "../event-log.ts";
import type { GatewayEnds } from "../gateway/process/ends.ts";
import type { GatewayLifecycle } from "../gateway/process/lifecycle.ts";
import { HANG_MS, type Hang, type HangWatch, hangingGateway } from "./hang-watch.ts";
import type { Observation } from "./observation.ts";

/** Interval of observations of a gateway that is not live, in milliseconds. */
const OBSERVE_MS = 5_000;

export interface HangRecoveryOptions {
  watch: HangWatch;
  /** Makes another observation, with a longer timeout than passive ones. */
  observe: () => Promise<Observation>;
  lifecycle: Pick<GatewayLifecycle, "isBusy" | "restart">;
  ends: Pick<GatewayEnds, "recordHang">;
  record: RecordEvent;
  waitUntil: (work: Promise<unknown>) => void;
}

export class HangRecovery {
  readonly #o: HangRecoveryOptions;
  #recovering = false;

  constructor(options: HangRecoveryOptions) {
    this.#o = options;
  }

  /** Watches a gateway that is not live, and restarts it when due. */
  async observe(observation: Observation): Promise<void> {
    const hang = await this.#o.watch.observe(observation);
    if (hang === undefined || this.#recovering || this.#o.lifecycle.isBusy) return;
    const isDue = hang.leftMs <= 0;
    // The time is longer after several restarts. Later health checks observe the gateway then.
    if (!isDue && hang.leftMs > HANG_MS) return;
    this.#recovering = true;
    const recovered = (isDue ? this.#recover(hang) : this.#watchUntilDue(hang.leftMs, observation.at))
      .catch((error) => this.#o.record("gateway.hung", { failed: String(error) }))
      .finally(() => {
        this.#recovering = false;
      });
    this.#o.waitUntil(recovered);
  }

  /** Observes the gateway until a restart is due. This needs no ticks, and detects early that a busy gateway is live again. */
  async #watchUntilDue(leftMs: number, firstObservation: Date): Promise<void> {
    let observedAt = firstObservation.getTime();
    for (let left: number | undefined = leftMs; left !== undefined; ) {
      await pause(Math.min(left, observedAt + OBSERVE_MS - Date.now()));
      if (this.#o.lifecycle.isBusy) return;
      observedAt = Date.now();
      const hang = await this.#o.watch.observe(await this.#o.observe());
      if (hang !== undefined && hang.leftMs <= 0) return this.#restart(hang);
      left = hang?.leftMs;
    }
  }

  async #recover(hang: Hang): Promise<void> {
    if (hangingGateway(await this.#o.observe()) === hang.process) await this.#restart(hang);
  }

  async #restart({ process, since }: Hang): Promise<void> {
    const { lifecycle, ends, watch } = this.#o;
    if (lifecycle.isBusy) return;
    await ends.recordHang(process, since);
    await watch.recordRestart();
    await lifecycle.restart();
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
