/** The one alarm of the supervisor's object, which several purposes share: the soonest of them sets it. */

export class Alarm {
  readonly #storage: Pick<DurableObjectStorage, "getAlarm" | "setAlarm" | "deleteAlarm">;

  constructor(storage: Pick<DurableObjectStorage, "getAlarm" | "setAlarm" | "deleteAlarm">) {
    this.#storage = storage;
  }

  /** Rings after `ms` at the latest; what was to ring before does. */
  async within(ms: number): Promise<void> {
    const time = Date.now() + ms;
    const alarm = await this.#storage.getAlarm();
    if (alarm === null || alarm > time) await this.#storage.setAlarm(time);
  }

  /** Rings next after the soonest of `waits`, in milliseconds, whatever it was to do; not at all when all are `undefined`. */
  async next(...waits: (number | undefined)[]): Promise<void> {
    const given = waits.filter((wait) => wait !== undefined);
    if (given.length === 0) await this.#storage.deleteAlarm();
    else await this.#storage.setAlarm(Date.now() + Math.min(...given));
  }
}
