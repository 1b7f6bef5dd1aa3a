/** The dispatch Worker: serves `*.{domain}`, a cron trigger each minute and the fan-out queue. */
import { PLATFORM_BRAND } from "#workers/contracts/brand.ts";
import { log, reasonOf } from "#workers/shared/log.ts";
import { queueReadings } from "./ai-usage/ai-usage.ts";
import { Dispatch } from "./dispatch.ts";
import type { Env } from "./env.ts";
import { queueTicks } from "./orders/fan-out.ts";
import { deliverBatch } from "./orders/queue.ts";
import { Refusal, refusalResponse } from "./refusal.ts";

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
      const refusal = new Refusal("internal", `The platform is misconfigured. Its log has details under ${id}.`);
      return refusalResponse(refusal, request, { brand: PLATFORM_BRAND });
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

  async queue(batch, env) {
    await deliverBatch(batch, env, dispatchOf(env).settings);
  },
} satisfies ExportedHandler<Env>;
