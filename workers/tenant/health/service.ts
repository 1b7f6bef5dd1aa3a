/** Answers health calls, and serves the health stream. */
import type { HealthCheck, Mode } from "./check.ts";
import type { HealthMonitor } from "./monitor.ts";
import { HealthStream, type HealthStreamOptions } from "./stream.ts";

export interface HealthServiceOptions extends Pick<HealthStreamOptions, "ctx" | "opened"> {
  monitor: Pick<HealthMonitor, "check">;
  /** Begins a backup when one is due, and does not wait for it. */
  backUpIfDue: () => void;
}

export class HealthService {
  readonly stream: HealthStream;
  readonly #o: HealthServiceOptions;
  readonly #shared = new Map<Mode, Promise<HealthCheck>>();

  constructor(options: HealthServiceOptions) {
    this.#o = options;
    const { ctx, opened } = options;
    this.stream = new HealthStream({ ctx, opened, check: (mode) => this.sharedCheck(mode) });
  }

  /** Makes a check. An active one that finds the gateway running begins a backup when one is due. */
  async check(mode: Mode): Promise<HealthCheck> {
    const check = await this.#o.monitor.check(mode);
    if (mode === "active" && check.snapshot.status === "running") this.#o.backUpIfDue();
    return check;
  }

  /** As {@link check}. Concurrent calls share one check. */
  sharedCheck(mode: Mode): Promise<HealthCheck> {
    const underWay = this.#shared.get(mode);
    if (underWay !== undefined) return underWay;
    const check = this.check(mode).finally(() => this.#shared.delete(mode));
    this.#shared.set(mode, check);
    return check;
  }
}
