/** Restarts a gateway that hangs, after any observation that shows it: its process runs, so this starts nothing that was stopped. */
import type { RecordEvent } from "../event-log.ts";
import { HANG_MS, type Hang, type HangWatch, hanging } from "./hang-watch.ts";
import type { Observation } from "./observation.ts";

/** Time between two observations of a gateway that is not live, in milliseconds. A slow observation is followed by the next at once. */
const OBSERVE_MS = 5_000;

export interface HangRecoveryOptions {
  watch: HangWatch;
  /** Makes another observation, with time for a slow gateway: passive observations time out early. */
  observe: () => Promise<Observation>;
  lifecycle: {
    /** Whether a start or a restart is under way. */
    readonly isBusy: boolean;
    restart(): Promise<unknown>;
  };
  ends: {
    /** The gateway hangs, and is restarted next. */
    hung(process: string, since: Date): Promise<void>;
  };
  record: RecordEvent;
  /** Keeps the object alive until the work is done. */
  waitUntil: (work: Promise<unknown>) => void;
}

export class HangRecovery {
  readonly #o: HangRecoveryOptions;
  #recovering = false;

  constructor(options: HangRecoveryOptions) {
    this.#o = options;
  }

  /** Acts on an observation: watches a gateway that is not live, and restarts it when it is time. */
  async observed(observation: Observation): Promise<void> {
    const hang = await this.#o.watch.observed(observation);
    if (hang === undefined || this.#recovering || this.#o.lifecycle.isBusy) return;
    const isDue = hang.leftMs <= 0;
    // After more restarts the time is longer. The observations of others count then.
    if (!isDue && hang.leftMs > HANG_MS) return;
    this.#recovering = true;
    const recovered = (isDue ? this.#recover(hang) : this.#watchUntilDue(hang.leftMs, observation.at))
      .catch((error) => this.#o.record("gateway.hung", { failed: String(error) }))
      .finally(() => {
        this.#recovering = false;
      });
    this.#o.waitUntil(recovered);
  }

  /**
   * Observes the gateway until it is time. A restart then needs no tick, and a gateway that was only busy is seen to live as soon as it
   * does. Two observations a minute apart say less.
   */
  async #watchUntilDue(leftMs: number, begun: Date): Promise<void> {
    let observedAt = begun.getTime();
    for (let left: number | undefined = leftMs; left !== undefined; ) {
      await pause(Math.min(left, observedAt + OBSERVE_MS - Date.now()));
      if (this.#o.lifecycle.isBusy) return;
      observedAt = Date.now();
      const hang = await this.#o.watch.observed(await this.#o.observe());
      if (hang !== undefined && hang.leftMs <= 0) return this.#restart(hang);
      left = hang?.leftMs;
    }
  }

  async #recover(hang: Hang): Promise<void> {
    if (hanging(await this.#o.observe()) === hang.process) await this.#restart(hang);
  }

  async #restart({ process, since }: Hang): Promise<void> {
    const { lifecycle, ends, watch } = this.#o;
    if (lifecycle.isBusy) return;
    await ends.hung(process, since);
    await watch.restarted();
    await lifecycle.restart();
  }
}

/** @param ms a negative number does not wait */
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
