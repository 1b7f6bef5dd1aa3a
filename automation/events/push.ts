import * as z from "zod";
import { markDelivered, undeliveredEvents } from "#database/work/events.ts";
import { LIVE_EVENTS_LIMIT, type LiveEvents } from "#workers/contracts/live.ts";
import { callService } from "../outside/call.ts";
import type { Settings } from "../settings.ts";
import { defineTask, type Task } from "../task.ts";

/** Pushes events to open dashboards. After a failure nothing is lost: a dashboard reads missed events when it opens. */
export function eventTask({ LIVE_URL: url, LIVE_TOKEN: token }: Pick<Settings, "LIVE_URL" | "LIVE_TOKEN">): Task {
  return defineTask("event", z.unknown(), async (_payload, { db, log, signal }) => {
    if (url === undefined || token === undefined) return;
    const target = { url, token, name: "The dashboard" };
    for (;;) {
      const events = await undeliveredEvents(db, LIVE_EVENTS_LIMIT);
      const ids = events.map(({ id }) => id);
      if (ids.length === 0) return;
      const update: LiveEvents = {
        last: Math.max(...ids),
        events: events.map((event) => ({ ...event, at: event.at.toISOString() })),
      };
      await callService(target, signal, update);
      await markDelivered(db, ids);
      log("info", "news_pushed", { events: ids.length, last: update.last });
    }
  });
}
