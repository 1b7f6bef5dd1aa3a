/** The supervisor object's single alarm, which the health stream, the inbox and the sandbox's sleep share. */

/** The part of a Durable Object's storage that is used. */
export interface AlarmStorage {
  /** Milliseconds since the epoch; `null` without an alarm. */
  getAlarm(): Promise<number | null>;
  setAlarm(time: number): Promise<void>;
  deleteAlarm(): Promise<void>;
}

export class Alarm {
  readonly #storage: AlarmStorage;
  /** One change at a time: each depends on the alarm that the previous one leaves. */
  #changing: Promise<unknown> = Promise.resolve();
  /** When it rings; `undefined` during a change, without an alarm, and until it is read. */
  #time: number | undefined;

  constructor(storage: AlarmStorage) {
    this.#storage = storage;
  }

  /** Sets the alarm to ring within `ms`. An earlier alarm stays. */
  ringWithin(ms: number): Promise<void> {
    const now = Date.now();
    // Each message of a webhook asks for it: reading the alarm takes as long as storing the message.
    if (this.#time !== undefined && now < this.#time && this.#time <= now + ms) return Promise.resolve();
    return this.#change(async () => {
      const time = Date.now() + ms;
      const alarm = await this.#storage.getAlarm();
      if (alarm !== null && alarm <= time) return alarm;
      await this.#storage.setAlarm(time);
      return time;
    });
  }

  /**
   * Replaces the alarm by the shortest of `waits`, in milliseconds. Deletes it when all are `undefined`. A later {@link ringWithin} adds to it:
   * `waits` is called without another change in between.
   */
  reset(waits: () => Promise<(number | undefined)[]>): Promise<void> {
    return this.#change(async () => {
      const given = (await waits()).filter((wait) => wait !== undefined);
      if (given.length === 0) {
        await this.#storage.deleteAlarm();
        return undefined;
      }
      const time = Date.now() + Math.min(...given);
      await this.#storage.setAlarm(time);
      return time;
    });
  }

  /** @param work returns when the alarm rings afterwards */
  #change(work: () => Promise<number | undefined>): Promise<void> {
    this.#time = undefined;
    const change = this.#changing.then(async () => {
      const time = await work();
      if (this.#changing === settled) this.#time = time;
    });
    const settled = change.catch(() => {});
    this.#changing = settled;
    return change;
  }
}
