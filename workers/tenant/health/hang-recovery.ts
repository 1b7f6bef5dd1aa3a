/** Restarts a gateway that hangs, whoever noticed: its process runs, so nothing is started that was stopped. */
import { HANG_MS, type Hang, type HangWatch, hanging } from "./hang-watch.ts";
import type { Observation } from "./observation.ts";

/** While a gateway is not live it is looked at this often, in milliseconds; one that lets a look wait is looked at all the time. */
const LOOK_MS = 5_000;

export interface HangRecoveryOptions {
  watch: HangWatch;
  /** Looks once more, with time for a gateway that is merely slow: a passive look gives up early. */
  look: () => Promise<Observation>;
  /** Whether a start or a restart is under way. */
  isBusy: () => boolean;
  restart: () => Promise<unknown>;
  /** Is told of a gateway that hangs, before it is restarted. */
  hung: (process: string, since: Date) => Promise<void>;
  note: (event: string, details: Record<string, unknown>) => void;
  /** Keeps the object alive for work that nobody waits for. */
  waitUntil: (work: Promise<unknown>) => void;
  /** How long it looks on by itself, in milliseconds. After that, or when this object has gone, the next look of others counts. */
  vigilMs?: number;
}

export class HangRecovery {
  readonly #o: HangRecoveryOptions;
  #recovering = false;

  constructor(options: HangRecoveryOptions) {
    this.#o = options;
  }

  /** Remembers what was seen; looks on until it is time, and begins a restart then. */
  async seen(observation: Observation): Promise<void> {
    const hang = await this.#o.watch.seen(observation);
    if (hang === undefined || this.#recovering || this.#o.isBusy()) return;
    const isDue = hang.leftMs <= 0;
    if (!isDue && hang.leftMs > (this.#o.vigilMs ?? HANG_MS)) return;
    this.#recovering = true;
    const recovered = (isDue ? this.#recover(hang) : this.#vigil(hang.leftMs, observation.at))
      .catch((error) => this.#o.note("gateway.hung", { failed: String(error) }))
      .finally(() => {
        this.#recovering = false;
      });
    this.#o.waitUntil(recovered);
  }

  /**
   * Looks on until it is time. So no tick need come for a restart, and a gateway that was merely busy is seen to live as soon as it
   * does: two looks a minute apart, each at a bad moment, say less.
   */
  async #vigil(leftMs: number, begun: Date): Promise<void> {
    let looked = begun.getTime();
    for (let left: number | undefined = leftMs; left !== undefined; ) {
      await pause(Math.min(left, looked + LOOK_MS - Date.now()));
      if (this.#o.isBusy()) return;
      looked = Date.now();
      const hang = await this.#o.watch.seen(await this.#o.look());
      if (hang !== undefined && hang.leftMs <= 0) return this.#restart(hang);
      left = hang?.leftMs;
    }
  }

  async #recover(hang: Hang): Promise<void> {
    if (hanging(await this.#o.look()) === hang.process) await this.#restart(hang);
  }

  async #restart({ process, since }: Hang): Promise<void> {
    if (this.#o.isBusy()) return;
    await this.#o.hung(process, since);
    await this.#o.watch.restarted();
    await this.#o.restart();
  }
}

/** @param ms none for a time that is past */
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
