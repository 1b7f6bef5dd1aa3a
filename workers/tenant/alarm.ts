/** The supervisor object's single alarm, which the health stream and the sandbox's sleep share. */
import { withTimeout } from "@tenantry/std/within";
import { HEALTH_WS_POLL_INTERVAL_MS } from "#workers/contracts/tenant/health-snapshot.ts";
import type { HealthStream } from "./health/stream.ts";
import type { SleepControl } from "./sleep/control.ts";

export class Alarm {
  readonly #storage: Pick<DurableObjectStorage, "getAlarm" | "setAlarm" | "deleteAlarm">;

  constructor(storage: Pick<DurableObjectStorage, "getAlarm" | "setAlarm" | "deleteAlarm">) {
    this.#storage = storage;
  }

  /** Sets the alarm to ring within `ms`. An earlier alarm stays. */
  async ringWithin(ms: number): Promise<void> {
    const time = Date.now() + ms;
    const alarm = await this.#storage.getAlarm();
    if (alarm === null || alarm > time) await this.#storage.setAlarm(time);
  }

  /** Replaces the alarm by the shortest of `waits`, in milliseconds. Deletes it when all are `undefined`. */
  async reset(...waits: (number | undefined)[]): Promise<void> {
    const given = waits.filter((wait) => wait !== undefined);
    if (given.length === 0) await this.#storage.deleteAlarm();
    else await this.#storage.setAlarm(Date.now() + Math.min(...given));
  }
}

export interface AlarmParts {
  alarm: Alarm;
  stream: Pick<HealthStream, "broadcast" | "hasListeners">;
  sleep: Pick<SleepControl, "check">;
}

/** Handles the alarm: sends snapshots to the health stream, and puts the sandbox to sleep or wakes it when due. */
export async function handleAlarm({ alarm, stream, sleep }: AlarmParts): Promise<void> {
  // Set first, so that an object that is evicted meanwhile continues.
  await alarm.reset(HEALTH_WS_POLL_INTERVAL_MS);
  const observed = await stream.broadcast();
  const checked = sleep.check(observed).then((wait) => ({ wait }));
  let result: { wait: number | undefined } | undefined;
  while (result === undefined) {
    result = await withTimeout(HEALTH_WS_POLL_INTERVAL_MS, checked);
    if (result === undefined) await stream.broadcast();
  }
  await alarm.reset(stream.hasListeners ? HEALTH_WS_POLL_INTERVAL_MS : undefined, result.wait);
}
