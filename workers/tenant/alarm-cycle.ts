/** What the object's alarm does: serves the health stream, and has the sandbox sleep or wake when it is time. */
import { within } from "@tenantry/std/within";
import { HEALTH_WS_POLL_INTERVAL_MS } from "#workers/contracts/tenant/health-snapshot.ts";
import type { Alarm } from "./alarm.ts";
import type { HealthStream } from "./health/stream.ts";
import type { SleepControl } from "./sleep/control.ts";

export interface AlarmCycleOptions {
  alarm: Alarm;
  stream: Pick<HealthStream, "broadcast" | "hasListeners">;
  sleep: Pick<SleepControl, "check">;
}

export class AlarmCycle {
  readonly #o: AlarmCycleOptions;

  constructor(options: AlarmCycleOptions) {
    this.#o = options;
  }

  async run(): Promise<void> {
    const { alarm, stream, sleep } = this.#o;
    // Set first, so that an object that is evicted meanwhile continues.
    await alarm.next(HEALTH_WS_POLL_INTERVAL_MS);
    const observed = await stream.broadcast();
    const checked = sleep.check(observed).then((wait) => ({ wait }));
    let done: { wait: number | undefined } | undefined;
    while (done === undefined) {
      done = await within(HEALTH_WS_POLL_INTERVAL_MS, checked);
      if (done === undefined) await stream.broadcast();
    }
    await alarm.next(stream.hasListeners ? HEALTH_WS_POLL_INTERVAL_MS : undefined, done.wait);
  }
}
