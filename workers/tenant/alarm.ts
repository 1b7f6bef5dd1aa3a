/** The supervisor object's single alarm, which the health stream, the inbox and the sandbox's sleep share. */
import { withTimeout } from "@tenantry/std/within";
import { HEALTH_WS_POLL_INTERVAL_MS } from "#workers/contracts/tenant/health-snapshot.ts";
import type { HealthStream } from "./health/stream.ts";
import type { Inbox } from "./inbox/inbox.ts";
import type { SleepControl } from "./sleep/control.ts";

export class Alarm {
  readonly #storage: Pick<DurableObjectStorage, "getAlarm" | "setAlarm" | "deleteAlarm">;
  /** One change at a time: each depends on the alarm that the previous one leaves. */
  #changing: Promise<unknown> = Promise.resolve();

  constructor(storage: Pick<DurableObjectStorage, "getAlarm" | "setAlarm" | "deleteAlarm">) {
    this.#storage = storage;
  }

  /** Sets the alarm to ring within `ms`. An earlier alarm stays. */
  ringWithin(ms: number): Promise<void> {
    return this.#change(async () => {
      const time = Date.now() + ms;
      const alarm = await this.#storage.getAlarm();
      if (alarm === null || alarm > time) await this.#storage.setAlarm(time);
    });
  }

  /**
   * Replaces the alarm by the shortest of `waits`, in milliseconds. Deletes it when all are `undefined`. A later {@link ringWithin} adds to it:
   * `waits` is called without another change in between.
   */
  reset(waits: () => Promise<(number | undefined)[]>): Promise<void> {
    return this.#change(async () => {
      const given = (await waits()).filter((wait) => wait !== undefined);
      if (given.length === 0) await this.#storage.deleteAlarm();
      else await this.#storage.setAlarm(Date.now() + Math.min(...given));
    });
  }

  #change(work: () => Promise<void>): Promise<void> {
    const change = this.#changing.then(work);
    this.#changing = change.catch(() => {});
    return change;
  }
}

export interface AlarmParts {
  alarm: Alarm;
  stream: Pick<HealthStream, "broadcast" | "hasListeners">;
  sleep: Pick<SleepControl, "check">;
  inbox: Pick<Inbox, "continue" | "wait">;
}

/** Handles the alarm: delivers messages, sends snapshots to the health stream, and puts the sandbox to sleep or wakes it when due. */
export async function handleAlarm({ alarm, stream, sleep, inbox }: AlarmParts): Promise<void> {
  // Set first, so that an object that is evicted meanwhile continues.
  await alarm.reset(async () => [HEALTH_WS_POLL_INTERVAL_MS]);
  inbox.continue();
  const observed = await stream.broadcast();
  const checked = sleep.check(observed).then((wait) => ({ wait }));
  let result: { wait: number | undefined } | undefined;
  while (result === undefined) {
    result = await withTimeout(HEALTH_WS_POLL_INTERVAL_MS, checked);
    if (result === undefined) await stream.broadcast();
  }
  const { wait } = result;
  await alarm.reset(async () => [
    stream.hasListeners ? HEALTH_WS_POLL_INTERVAL_MS : undefined,
    wait,
    await inbox.wait(),
  ]);
}
