import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Log } from "@tenantry/std/log";
import { type FaultName, faults, type Place } from "./faults.ts";

export interface WeatherOptions {
  seed: number;
  /** Share of events, from 0 to 1. Default: the rate of each fault in {@link faults}. */
  rates?: Partial<Record<FaultName, number>>;
  /** Divides all times, such as the age of a stale read. Default: 1, the times of production. */
  pace?: number;
  /** Milliseconds since the epoch. Default: the system clock. */
  now?: () => number;
}

export interface Injected {
  fault: FaultName;
  /** From 0 to 1: for how long, or how late. */
  amount: number;
}

/** Injects the faults of Cloudflare in production. */
export interface Weather {
  /**
   * Decides whether the next event of a subject has a fault, and logs it. The decision depends on the seed, the subject and the number of its
   * earlier events, and not on other subjects, so that concurrency hardly changes a replay.
   *
   * @param subject what is stable between runs, such as an operation without generated ids
   */
  next(where: Place, subject: string): Injected | undefined;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Returns milliseconds for a time in production. */
  duration(productionMs: number): number;
  /** Resolves after a time in production. @throws Error when the weather stops */
  delay(productionMs: number): Promise<void>;
  /** Stops injecting faults until {@link resume}. Events do not count. */
  pause(): void;
  resume(): void;
  /** Returns the number of injected faults by name. */
  injected(): Partial<Record<FaultName, number>>;
  /** Ends delays, and logs a summary. */
  stop(): void;
}

export function createWeather(options: WeatherOptions, log: Log): Weather {
  const { seed, rates = {}, pace = 1, now = Date.now } = options;
  const events = new Map<string, number>();
  const injected = new Map<FaultName, number>();
  const stopping = new AbortController();
  let isPaused = false;

  return {
    next(where, subject) {
      if (isPaused || stopping.signal.aborted) return undefined;
      const key = `${where} ${subject}`;
      const event = events.get(key) ?? 0;
      events.set(key, event + 1);
      const [choice, amount] = randomPair(`${seed} ${key} ${event}`);
      const fault = faultAt(choice, where, rates);
      if (fault === undefined) return undefined;
      injected.set(fault, (injected.get(fault) ?? 0) + 1);
      log("weather", "injected", { fault, subject, n: event, amount: Number(amount.toFixed(3)) });
      return { fault, amount };
    },
    now,
    duration: (productionMs) => productionMs / pace,
    delay: (productionMs) => wait(productionMs / pace, undefined, { signal: stopping.signal }),
    pause() {
      isPaused = true;
    },
    resume() {
      isPaused = false;
    },
    injected: () => Object.fromEntries(injected),
    stop() {
      if (stopping.signal.aborted) return;
      stopping.abort();
      const count = [...events.values()].reduce((sum, of) => sum + of, 0);
      log("weather", "summary", { seed, events: count, injected: Object.fromEntries(injected) });
    },
  };
}

/** Faults of a place divide the range from 0 to 1 by their rates. */
function faultAt(choice: number, where: Place, rates: Partial<Record<FaultName, number>>): FaultName | undefined {
  let end = 0;
  for (const [name, fault] of Object.entries(faults) as [FaultName, (typeof faults)[FaultName]][]) {
    if (fault.where !== where) continue;
    end += rates[name] ?? fault.rate;
    if (choice < end) return name;
  }
  return undefined;
}

/** Returns two independent numbers from 0 to 1 for a text. */
function randomPair(text: string): [number, number] {
  const bytes = createHash("sha256").update(text).digest();
  return [bytes.readUIntBE(0, 6) / 2 ** 48, bytes.readUIntBE(6, 6) / 2 ** 48];
}
