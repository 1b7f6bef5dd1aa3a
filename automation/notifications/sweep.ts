/** Sends digests, and finds what killed processes left. */
import * as z from "zod";
import { listForgotten, sendNextDigest } from "#database/notifications/distribution.ts";
import { giveUpWebhooks } from "#database/notifications/webhooks.ts";
import { requestWork } from "#database/work/queue-state.ts";
import { DIGEST_HOUR } from "#domain/notifications/kinds.ts";
import { defineTask, type Task } from "../task.ts";

const FORGOTTEN_MINUTES = 10;
const FORGOTTEN = 500;
/** The queue retries a webhook for about 16 hours. */
const WEBHOOK_HOURS = 24;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Returns the last time for digests before or at a time. What waits since before it is due. */
export function lastDigestTime(now: Date): Date {
  const offset = DIGEST_HOUR * HOUR_MS;
  return new Date(Math.floor((now.getTime() - offset) / DAY_MS) * DAY_MS + offset);
}

export function sweepNotificationsTask(schema: string, now = () => new Date()): Task {
  return defineTask("sweep_notifications", z.unknown(), async (_payload, { db, log, signal }) => {
    for (const id of await listForgotten(db, FORGOTTEN_MINUTES, FORGOTTEN)) {
      const key = `notification:${id}`;
      await requestWork(db, schema, { task: "notification", payload: { id }, key, queue: key });
    }
    const ended = await giveUpWebhooks(db, WEBHOOK_HOURS);
    if (ended > 0) log("warn", "webhooks_given_up", { deliveries: ended });
    const due = lastDigestTime(now());
    let digests = 0;
    while (!signal.aborted && (await sendNextDigest(db, due))) digests += 1;
    if (digests > 0) log("info", "digests_queued", { digests });
  });
}
