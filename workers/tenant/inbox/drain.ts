/**
 * Delivers messages while any is due: wakes the gateway, and makes attempts. It runs without its callers; the object's alarm continues it after
 * the object's end, and when the next attempt is due later.
 */
import type { RecordEvent } from "../event-log.ts";
import { type KnownGateway, MAX_CRASHES, type PastCrashes, pastCrashes, withAttempt } from "./crashes.ts";
import type { Outcome } from "./outcome.ts";
import type { MessageRow, StoredFailure } from "./rows.ts";
import type { InboxStore } from "./store.ts";
import { mayBeStarting } from "./targets.ts";

/** Deliveries in progress at once, each of another conversation. */
const MAX_CONCURRENT = 8;
const FIRST_RETRY_MS = 1_000;
export const MAX_RETRY_MS = 5 * 60_000;
/** How long a gateway that was found ready may still be incomplete. */
const COMPLETION_MS = 60_000;
/** Longest delay of the next attempt at such a gateway. */
const COMPLETION_RETRY_MS = 2_000;
/** How long the gateway counts as ready after a check or a response. */
const VERIFIED_MS = 5_000;
/** First and longest wait between checks of a gateway that is not ready. */
const FIRST_CHECK_MS = 250;
const MAX_CHECK_MS = 60_000;
const CHECK_GROWTH = 1.5;
/** Wait between checks of a gateway that is starting, for as long as a start may take. */
const STARTING_CHECK_MS = 500;
const STARTING_MS = 5 * 60_000;
/** Messages without time left expire when the gateway was not ready for this long. */
const UNREADY_MS = 3600 * 1000;
const EXPIRY_BATCH = 100;
/** The alarm ends longer waits; meanwhile it rings after this time in case the object ends. */
export const WATCH_MS = 5_000;

/** `starting`: the gateway, or its startup script, runs and does not accept traffic yet. */
export type Readiness = "ready" | "starting" | "stopped";

type Failed = Extract<Outcome, { outcome: "failed" }>;

export interface DrainOptions {
  store: Pick<InboxStore, "due" | "move" | "nextDueAt" | "unreadySince" | "setReady">;
  send: (message: MessageRow) => Promise<Outcome>;
  gateway: KnownGateway;
  /** Whether the tenant is frozen or stopped. */
  isHeld: () => Promise<boolean>;
  /** Returns whether the gateway accepts traffic. Starts a stopped gateway without waiting for it. */
  checkReady: () => Promise<Readiness>;
  record: RecordEvent;
  /** Counts a final outcome. */
  count: (outcome: "accepted" | "dead") => void;
  waitUntil: (work: Promise<unknown>) => void;
  /** Between 0 and 1. Default: random */
  random?: () => number;
}

export class Drain {
  readonly #o: DrainOptions;
  readonly #deliveries = new Set<Promise<void>>();
  /** Whether a message is delivered that may end the gateway, and no other may be. */
  #isAlone = false;
  #running = false;
  /** Whether {@link kick} was called since the loop last began. */
  #kicked = false;
  #wakeUp: (() => void) | undefined;
  /** Signs that the gateway is not ready, since its last response. */
  #doubts = 0;
  #nextCheckAt = 0;
  /** Since when checks find the gateway starting. */
  #startingSince: number | undefined;
  /** Since when the gateway is ready; `undefined` after a sign that it is not. */
  #readySince: number | undefined;
  /** When the gateway was last known to be ready. */
  #verifiedAt = 0;

  constructor(options: DrainOptions) {
    this.#o = options;
  }

  /** Delivers what is due, without waiting for it. */
  kick(): void {
    this.#kicked = true;
    this.#wakeUp?.();
    if (this.#running) return;
    this.#running = true;
    const run = this.#run()
      .catch((error) => this.#o.record("inbox.failed", { message: String(error) }))
      .finally(() => {
        this.#running = false;
        if (this.#kicked) this.kick();
      });
    this.#o.waitUntil(run);
  }

  /** As {@link kick}, after a change that may have made the gateway ready. */
  resume(): void {
    this.#doubts = 0;
    this.#nextCheckAt = 0;
    this.kick();
  }

  /** Returns the milliseconds after which {@link kick} must be called again; `undefined` when no message waits or none may be delivered. */
  async wait(): Promise<number | undefined> {
    if (await this.#o.isHeld()) return undefined;
    if (this.#deliveries.size > 0) return WATCH_MS;
    const next = this.#o.store.nextDueAt();
    return next === undefined ? undefined : Math.max(WATCH_MS, Math.max(next, this.#nextCheckAt) - Date.now());
  }

  /** Whether a message waits that may be delivered. */
  async isPending(): Promise<boolean> {
    return (await this.wait()) !== undefined;
  }

  async #run(): Promise<void> {
    const { store, isHeld } = this.#o;
    for (;;) {
      this.#kicked = false;
      if (await isHeld()) return;
      const free = MAX_CONCURRENT - this.#deliveries.size;
      const now = Date.now();
      if (free > 0 && store.due(now, 1).length > 0) {
        if (!(await this.#isReady())) {
          if (!(await this.#waitForCheck())) return;
        } else if (!(await this.#deliverDue(free))) await this.#pause(undefined);
        continue;
      }
      const next = free > 0 ? store.nextDueAt() : undefined;
      const ms = next === undefined ? undefined : next - now;
      if (this.#deliveries.size === 0 && (ms === undefined || ms > WATCH_MS)) return;
      await this.#pause(ms);
    }
  }

  async #isReady(): Promise<boolean> {
    const { store, checkReady } = this.#o;
    const now = Date.now();
    // A sandbox rejects traffic once its gateway is not ready.
    if (this.#readySince !== undefined && now - this.#verifiedAt < VERIFIED_MS) return true;
    if (now < this.#nextCheckAt) return false;
    const readiness = await checkReady().catch(() => "stopped" as const);
    if (readiness === "starting") this.#startingSince ??= now;
    else this.#startingSince = undefined;
    if (readiness === "ready") {
      this.#verifiedAt = Date.now();
      this.#readySince ??= this.#verifiedAt;
      store.setReady();
      return true;
    }
    this.#expire();
    this.#doubt();
    return false;
  }

  /** Expires messages that have no time left for a gateway that does not become ready. */
  #expire(): void {
    const { store } = this.#o;
    const now = Date.now();
    if (now - store.unreadySince(now) < UNREADY_MS) return;
    for (const message of store.due(now, EXPIRY_BATCH))
      if (message.retry_until <= now && store.move(message, "expired", { now, failure: { reason: "expired" } }))
        this.#end(message, "dead", { reason: "expired" });
  }

  /** Delays the next check, longer each time unless the gateway is starting. */
  #doubt(): void {
    this.#readySince = undefined;
    const now = Date.now();
    if (this.#startingSince !== undefined && now - this.#startingSince < STARTING_MS) {
      this.#nextCheckAt = now + STARTING_CHECK_MS;
      return;
    }
    this.#doubts += 1;
    this.#nextCheckAt = now + Math.min(MAX_CHECK_MS, FIRST_CHECK_MS * CHECK_GROWTH ** (this.#doubts - 1));
  }

  /** @returns false when the alarm continues */
  async #waitForCheck(): Promise<boolean> {
    const ms = this.#nextCheckAt - Date.now();
    if (ms > WATCH_MS && this.#deliveries.size === 0) return false;
    await this.#pause(ms);
    return true;
  }

  /** @returns false if it waits for deliveries in progress */
  async #deliverDue(free: number): Promise<boolean> {
    const { store, gateway } = this.#o;
    for (const message of store.due(Date.now(), free)) {
      const past = await pastCrashes(message, gateway);
      if (this.#isAlone || (past.isSuspect && this.#deliveries.size > 0)) return false;
      this.#deliver(message, past);
    }
    return true;
  }

  #deliver(message: MessageRow, past: PastCrashes): void {
    const { store, record } = this.#o;
    const now = Date.now();
    if (!store.move(message, "attempted", { now })) return;
    if (past.count >= MAX_CRASHES) {
      this.#refuse(message, { reason: "crash" }, now);
      return;
    }
    this.#isAlone = past.isSuspect;
    if (past.isSuspect) record("inbox.delivered-alone", { id: message.id, crashes: past.count });
    const delivery = this.#attempt(message, past).finally(() => {
      this.#deliveries.delete(delivery);
      if (past.isSuspect) this.#isAlone = false;
    });
    this.#deliveries.add(delivery);
  }

  async #attempt(message: MessageRow, past: PastCrashes): Promise<void> {
    const { send, store, gateway, record } = this.#o;
    const attempt = { gateway: gateway.running, at: Date.now() };
    const traced = (failure: StoredFailure) => withAttempt(failure, past, attempt);
    let result: Outcome;
    try {
      result = await send(message);
    } catch (error) {
      // Such as a bucket that cannot be read. It says nothing of the gateway.
      record("inbox.not-sent", { id: message.id, message: String(error) });
      result = { outcome: "failed", failure: { reason: "body-lost" }, maxAttempts: Infinity, retryAfterMs: 0 };
    }
    const now = Date.now();
    if (result.outcome === "accepted") {
      this.#confirm(now);
      if (store.move(message, "accepted", { now })) this.#end(message, "accepted");
      return;
    }
    if (result.outcome === "unreachable") {
      // Several deliveries that break off together are one sign.
      if (this.#readySince !== undefined) this.#doubt();
      // Nothing was sent to a closed port, so the failure before it stays.
      const failure = result.isBroken ? traced({ reason: "connection" }) : undefined;
      if (failure !== undefined && now >= message.retry_until) {
        this.#refuse(message, failure, now);
        return;
      }
      store.move(message, "interrupted", { now, delayMs: 0, ...(failure && { failure }) });
      return;
    }
    this.#fail(message, { ...result, failure: traced(result.failure) }, now);
  }

  #fail(message: MessageRow, { failure, maxAttempts, retryAfterMs }: Failed, now: number): void {
    const { store } = this.#o;
    if (failure.status !== undefined) this.#confirm(now);
    else if (failure.reason !== "body-lost" && this.#readySince !== undefined) this.#doubt();
    if (mayBeStarting(failure.status) && now - (this.#readySince ?? now) < COMPLETION_MS) {
      store.move(message, "interrupted", { now, delayMs: this.#jitter(COMPLETION_RETRY_MS) });
      return;
    }
    const attempts = message.attempts + 1;
    if (attempts >= maxAttempts || now >= message.retry_until) {
      this.#refuse(message, failure, now, { attempts });
      return;
    }
    const backoff = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1));
    const delayMs = Math.max(this.#jitter(backoff), Math.min(MAX_RETRY_MS, retryAfterMs));
    store.move(message, "failed", { now, delayMs, failure });
  }

  #refuse(message: MessageRow, failure: StoredFailure, now: number, details: object = {}): void {
    const { attempt: _, ...stated } = failure;
    if (this.#o.store.move(message, "refused", { now, failure })) this.#end(message, "dead", { ...stated, ...details });
  }

  /** The gateway has responded. */
  #confirm(now: number): void {
    this.#doubts = 0;
    this.#verifiedAt = now;
  }

  #jitter(ms: number): number {
    return Math.round(ms * (this.#o.random ?? Math.random)());
  }

  #end({ id, door, kind }: MessageRow, outcome: "accepted" | "dead", details: object = {}): void {
    if (outcome === "dead") this.#o.record("inbox.dead", { id, door, kind, ...details });
    this.#o.count(outcome);
  }

  /** Waits for `ms`, a kick, or the end of a delivery. */
  async #pause(ms: number | undefined): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const woken = new Promise<void>((resolve) => {
      this.#wakeUp = resolve;
      if (ms !== undefined) timer = setTimeout(resolve, Math.max(0, ms));
    });
    await Promise.race([woken, ...this.#deliveries]);
    clearTimeout(timer);
    this.#wakeUp = undefined;
  }
}
