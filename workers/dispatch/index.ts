/** The dispatch Worker: serves `*.{domain}`, a cron trigger each minute and the fan-out queue. */
import * as z from "zod";
import { trafficErrors } from "#domain/errors/tenants/traffic.ts";
import { PLATFORM_BRAND } from "#workers/contracts/brand.ts";
import { log, reasonOf } from "#workers/shared/log.ts";
import { deliverReading, queueReadings, readingMessage } from "./ai-usage/ai-usage.ts";
import { Dispatch } from "./dispatch.ts";
import type { Env } from "./env.ts";
import { deliverTick, queueTicks, tickMessage } from "./orders/fan-out.ts";
import { refusal, refusalResponse } from "./refusal.ts";

const queueMessage = z.union([tickMessage, readingMessage]);

let dispatch: Dispatch | undefined;

function dispatchOf(env: Env): Dispatch {
  dispatch ??= new Dispatch(env);
  return dispatch;
}

export default {
  fetch(request, env, context) {
    let ready: Dispatch;
    try {
      ready = dispatchOf(env);
    } catch (error) {
      const id = crypto.randomUUID();
      log("error", "worker.misconfigured", { id, reason: reasonOf(error) });
      return refusalResponse(refusal(trafficErrors.platform_misconfigured, { id }), request, { brand: PLATFORM_BRAND });
    }
    return ready.fetch(request, (work) => context.waitUntil(work));
  },

  async scheduled(controller, env) {
    const { database, settings } = dispatchOf(env);
    const readings = queueReadings(controller.scheduledTime, settings, env.FANOUT);
    const tenants = await queueTicks(controller.scheduledTime, database, env.FANOUT);
    log("log", "fan-out.queued", { tenants });
    await readings;
  },

  /** Processes messages concurrently, without retries, because the next minute's follow. */
  async queue(batch, env) {
    const { settings } = dispatchOf(env);
    const { DISPATCHER: dispatcher, TENANT_INDEX: kv } = env;
    await Promise.all(
      batch.messages.map(({ body }) => {
        const { data } = queueMessage.safeParse(body);
        if (data === undefined) return log("error", "fan-out.unreadable");
        if ("gateway" in data) return deliverReading(data, { settings, kv, dispatcher });
        return deliverTick(data, dispatcher, settings.PLATFORM_DOMAIN);
      }),
    );
    batch.ackAll();
  },
} satisfies ExportedHandler<Env>;
