/** Counts of requests by host, port and program, and their batches from the isolates to the supervisor. */
import type { EgressRefusal } from "#domain/egress/policy-types.ts";
import { log } from "#workers/shared/log.ts";

/** @property at milliseconds since the epoch of the last request */
export interface HostCount {
  readonly host: string;
  readonly port: number;
  readonly program: string | null;
  readonly requests: number;
  /** Of the requests. */
  readonly refused: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  readonly at: number;
  /** Of the last refusal; null without one. */
  readonly reason: EgressRefusal | null;
}

/** How long counts wait in an isolate, in milliseconds. */
const BATCH_MS = 1_000;
/** Hosts of a batch. A further one is dropped: the container cannot fill the isolate's memory. */
const MAX_BATCH = 500;

export interface BatchOptions {
  /** @throws Error when nothing was recorded */
  send: (counts: HostCount[]) => Promise<void>;
  /** That of the request. */
  waitUntil: (work: Promise<unknown>) => void;
}

/** Of an isolate. */
export class CountBatch {
  readonly #wait: () => Promise<void>;
  readonly #now: () => number;
  #counts = new Map<string, HostCount>();
  #dueAt = 0;

  /** @param wait resolves after {@link BATCH_MS}. Default: a timer @param now milliseconds since the epoch. Default: the system clock */
  constructor(wait: () => Promise<void> = () => delay(BATCH_MS), now: () => number = Date.now) {
    this.#wait = wait;
    this.#now = now;
  }

  /** Adds to a batch, and sends it a second after its first count. */
  add(count: Omit<HostCount, "at">, options: BatchOptions): void {
    const key = JSON.stringify([count.host, count.port, count.program]);
    const before = this.#counts.get(key);
    if (before === undefined && this.#counts.size >= MAX_BATCH) return;
    this.#counts.set(key, {
      ...count,
      requests: count.requests + (before?.requests ?? 0),
      refused: count.refused + (before?.refused ?? 0),
      sentBytes: count.sentBytes + (before?.sentBytes ?? 0),
      receivedBytes: count.receivedBytes + (before?.receivedBytes ?? 0),
      reason: count.reason ?? before?.reason ?? null,
      at: this.#now(),
    });
    // The request that should have sent the batch may have been ended by the runtime.
    if (this.#now() < this.#dueAt + BATCH_MS) return;
    this.#dueAt = this.#now() + BATCH_MS;
    options.waitUntil(this.#wait().then(() => this.#send(options)));
  }

  async #send({ send }: BatchOptions): Promise<void> {
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    this.#dueAt = 0;
    try {
      // A call that failed may have had its effect, so it is not repeated: requests would count twice.
      if (counts.length > 0) await send(counts);
    } catch (error) {
      log("error", "egress.not-recorded", { hosts: counts.length, message: String(error) });
    }
  }
}

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
