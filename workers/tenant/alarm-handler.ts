/** What the supervisor object does at its alarm. */
import { withTimeout } from "@tenantry/std/within";
import { HEALTH_WS_POLL_INTERVAL_MS } from "#workers/contracts/tenant/health-snapshot.ts";
import type { Alarm } from "./alarm.ts";
import type { HealthStream } from "./health/stream.ts";
import type { Inbox } from "./inbox/inbox.ts";
import type { SleepControl } from "./sleep/control.ts";

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
