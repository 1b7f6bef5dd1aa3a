/** Whether the workers of this process still look for work. */
import type { WorkerEvents } from "graphile-worker";

/** Workers look every two seconds, or are at work. */
const QUIET_MS = 30_000;

export class Pulse {
  readonly #concurrency: number;
  #lastLook = Date.now();
  #atWork = 0;
  #ended = false;

  /** @param concurrency workers of the process */
  constructor(events: WorkerEvents, concurrency: number) {
    this.#concurrency = concurrency;
    events.on("worker:getJob:empty", () => this.#looked());
    events.on("job:start", () => {
      this.#looked();
      this.#atWork += 1;
    });
    events.on("job:complete", () => {
      this.#looked();
      this.#atWork -= 1;
    });
    events.on("stop", () => {
      this.#ended = true;
    });
  }

  get isAlive(): boolean {
    if (this.#ended) return false;
    return this.#atWork >= this.#concurrency || Date.now() - this.#lastLook < QUIET_MS;
  }

  #looked(): void {
    this.#lastLook = Date.now();
  }
}
