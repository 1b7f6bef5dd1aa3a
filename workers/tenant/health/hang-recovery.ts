/** Restarts a gateway that hangs, whoever noticed: its process runs, so nothing is started that was stopped. */
import { type HangWatch, hanging } from "./hang-watch.ts";
import type { Observation } from "./observation.ts";

export interface HangRecoveryOptions {
  watch: HangWatch;
  /** Looks once more, with time for a gateway that is merely slow: a passive look gives up early. */
  look: () => Promise<Observation>;
  /** Whether a start or a restart is under way. */
  isBusy: () => boolean;
  restart: () => Promise<unknown>;
  note: (event: string, details: Record<string, unknown>) => void;
  /** Keeps the object alive for work that nobody waits for. */
  waitUntil: (work: Promise<unknown>) => void;
}

export class HangRecovery {
  readonly #o: HangRecoveryOptions;
  #recovering = false;

  constructor(options: HangRecoveryOptions) {
    this.#o = options;
  }

  /** Remembers what was seen, and begins a restart when it is time. */
  async seen(observation: Observation): Promise<void> {
    const since = await this.#o.watch.seen(observation);
    if (since === undefined || this.#recovering || this.#o.isBusy()) return;
    this.#recovering = true;
    const recovered = this.#recover(since)
      .catch((error) => this.#o.note("gateway.hung", { failed: String(error) }))
      .finally(() => {
        this.#recovering = false;
      });
    this.#o.waitUntil(recovered);
  }

  async #recover(since: Date): Promise<void> {
    const process = hanging(await this.#o.look());
    if (process === undefined || this.#o.isBusy()) return;
    this.#o.note("gateway.hung", { process, since: since.toISOString() });
    await this.#o.watch.restarted();
    await this.#o.restart();
  }
}
