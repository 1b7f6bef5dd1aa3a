/**
 * The CPU limit of a cell. workerd runs all requests of a cell in one isolate, so the CPU time of a cell is divided equally among its open
 * requests. A Worker in an endless loop stops every other request, so CPU time without any output counts in full against the smallest limit.
 */
import { LIMITS } from "@tenantry/cloudflare-limits/limits";
import { readCpu } from "./cpu-meter.ts";

export interface Activity {
  /** Milliseconds of CPU time. */
  limit: number;
  /** The share of a WebSocket is not summed up, because it lives long. */
  socket: boolean;
  used: number;
}

export const DEFAULT_CPU_MS = LIMITS.cpuTimeDefault.value;
const TICK_MS = 25;
const IDLE_TICK_MS = 250;
/** Share of the time from which a process counts as busy. */
const BUSY = 0.8;

interface CpuLimitOptions {
  pid: number;
  activities: ReadonlySet<Activity>;
  /** Limit in milliseconds without an activity, as in an alarm. */
  ceiling: number;
  /** Called once. */
  onExceeded: () => void;
}

export class CpuLimit {
  readonly #o: CpuLimitOptions;
  #timer: NodeJS.Timeout | undefined;
  /** `at` is when the reading ended. */
  #last: { at: number; ran: number; waited: number } | undefined;
  #burned = 0;
  #progress = true;

  constructor(options: CpuLimitOptions) {
    this.#o = options;
    this.#schedule();
  }

  /** Call it on output of the cell. */
  progress(): void {
    this.#progress = true;
  }

  /** Call it when a request starts. */
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
    this.#timer = setTimeout(() => this.#tick(), this.#o.activities.size > 0 ? TICK_MS : IDLE_TICK_MS);
    this.#timer.unref();
  }

  #tick(): void {
    // A loaded machine interrupts a reading, so only the time between two of them surely passed.
    const begun = performance.now();
    const reading = readCpu(this.#o.pid);
    if (reading === undefined) return;
    const last = this.#last ?? { at: begun, ...reading };
    this.#last = { at: performance.now(), ...reading };
    const ran = reading.ran - last.ran;
    const isBusy = ran + (reading.waited - last.waited) >= BUSY * (begun - last.at);
    this.#burned = isBusy && !this.#progress ? this.#burned + ran : 0;
    this.#progress = false;
    if (this.#isExceeded(ran)) {
      this.stop();
      this.#o.onExceeded();
    } else this.#schedule();
  }

  #isExceeded(ran: number): boolean {
    const activities = [...this.#o.activities];
    const requests = activities.filter((activity) => !activity.socket);
    for (const request of requests) request.used += ran / requests.length;
    const smallest = Math.min(...activities.map((activity) => activity.limit));
    const limit = Number.isFinite(smallest) ? smallest : this.#o.ceiling;
    return this.#burned > limit || requests.some((request) => request.used > request.limit);
  }
}
