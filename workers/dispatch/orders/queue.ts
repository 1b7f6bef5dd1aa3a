/** Consumes the fan-out queue. */
import * as z from "zod";
import { log } from "#workers/shared/log.ts";
import { deliverReading, readingMessage } from "../ai-usage/ai-usage.ts";
import type { Env, Settings } from "../env.ts";
import { deliverTick, tickMessage } from "./fan-out.ts";

const message = z.union([tickMessage, readingMessage]);

/** Processes messages concurrently, without retries, because the next minute's follow. Does not reject. */
export async function deliverBatch(batch: MessageBatch, env: Env, settings: Settings): Promise<void> {
  const { DISPATCHER: dispatcher, TENANT_INDEX: kv } = env;
  await Promise.all(
    batch.messages.map(({ body }) => {
      const { data } = message.safeParse(body);
      if (data === undefined) return log("error", "fan-out.unreadable");
      if ("gateway" in data) return deliverReading(data, { settings, kv, dispatcher });
      return deliverTick(data, dispatcher, settings.PLATFORM_DOMAIN);
    }),
  );
  batch.ackAll();
}
