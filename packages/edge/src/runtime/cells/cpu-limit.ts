/**
 * The CPU limit of a cell. workerd runs all requests of a cell in one isolate, so their processor time cannot be told
 * apart: what a cell uses is shared equally among its requests under way. A Worker that spins stops every other request
 * with it, so an unbroken burn without a byte of answer counts in full against the smallest limit there is.
 */
import { readCpu } from "./cpu-meter.ts";

/** One request, or one WebSocket, under way in a cell. */
export interface Activity {
  /** Milliseconds of CPU it may use. */
  limit: number;
  /** A WebSocket lives long: its share is not added up, only a burn is cut off. */
  socket: boolean;
  used: number;
}

/** Limit where neither script nor dispatch sets one: the vendor's default, in milliseconds. */
export const DEFAULT_CPU_MS = 30_000;
const TICK_MS = 25;
const QUIET_TICK_MS = 250;
const BURNING = 0.8;

/** Watches one process and calls `exceeded` once, when a limit is passed. */
export class CpuLimit {
  readonly #pid: number;
  readonly #activities: ReadonlySet<Activity>;
  readonly #exceeded: () => void;
  readonly #ceiling: number;
  #timer: NodeJS.Timeout | undefined;
  #last: { at: number; ran: number; waited: number } | undefined;
  #burned = 0;
  #progress = true;

  /** @param ceiling milliseconds of burn allowed when nothing is under way, as in an alarm */
  constructor(o: { pid: number; activities: ReadonlySet<Activity>; ceiling: number; exceeded: () => void }) {
    this.#pid = o.pid;
    this.#activities = o.activities;
    this.#ceiling = o.ceiling;
    this.#exceeded = o.exceeded;
    this.#schedule();
  }

  /** The cell has answered something, so it is not stuck. */
  progress(): void {
    this.#progress = true;
  }

  /** A request has begun: look closely from now on. */
  begin(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#schedule();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(): void {
    this.#timer = setTimeout(() => this.#tick(), this.#activities.size > 0 ? TICK_MS : QUIET_TICK_MS);
    this.#timer.unref();
  }

  #tick(): void {
    const reading = readCpu(this.#pid);
    if (reading === undefined) return;
    const now = performance.now();
    const last = this.#last ?? { at: now, ...reading };
    this.#last = { at: now, ...reading };
    const ran = reading.ran - last.ran;
    const busy = ran + (reading.waited - last.waited) >= BURNING * (now - last.at);
    this.#burned = busy && !this.#progress ? this.#burned + ran : 0;
    this.#progress = false;
    if (this.#isExceeded(ran)) {
      this.stop();
      this.#exceeded();
    } else this.#schedule();
  }

  #isExceeded(ran: number): boolean {
    const requests = [...this.#activities].filter((activity) => !activity.socket);
    for (const request of requests) request.used += ran / requests.length;
    const smallest = Math.min(...[...this.#activities].map((activity) => activity.limit));
    const limit = Number.isFinite(smallest) ? smallest : this.#ceiling;
    return this.#burned > limit || requests.some((request) => request.used > request.limit);
  }
}
