/** Sends each minute's tick to all active tenants, through the queue because of the subrequest limit. */
import { QUEUE_SEND_MESSAGES } from "@tenantry/cloudflare-limits/values";
import * as z from "zod";
import { TICK_PATH, type Tick } from "#workers/contracts/tenant/internal.ts";
import { log, reasonOf } from "#workers/shared/log.ts";
import type { Database } from "../tenants/database.ts";
import { notifyTenant } from "./platform-call.ts";

/** The database's maximum. */
const PAGE_SIZE = 1_000;
const TENANTS_PER_MESSAGE = 20;
const TENANT_TIMEOUT_MS = 5_000;
/** Messages are delayed by 0 to 44 seconds, so that tenants are not called all at once. */
const SPREAD_SECONDS = 45;
/** A later tick is dropped, because the next one is due. */
const MAX_AGE_MS = 60_000;

export const tickMessage = z.object({
  v: z.literal(1),
  scheduledTime: z.iso.datetime(),
  delaySeconds: z.number().nonnegative().default(0),
  workers: z.array(z.string()).max(TENANTS_PER_MESSAGE),
});
export type TickMessage = z.infer<typeof tickMessage>;

/** @returns the number of tenants. @throws DatabaseUnavailable */
export async function queueTicks(scheduledTime: number, database: Database, queue: Queue<unknown>): Promise<number> {
  const time = new Date(scheduledTime).toISOString();
  let count = 0;
  let sent = 0;
  let after: string | undefined;
  for (;;) {
    const page = await database.activeTenants(after, PAGE_SIZE);
    const messages = chunks(page, TENANTS_PER_MESSAGE).map((tenants) => {
      const workers = tenants.map((tenant) => tenant.worker_name);
      const delaySeconds = sent % SPREAD_SECONDS;
      sent += 1;
      return { body: { v: 1, scheduledTime: time, delaySeconds, workers }, delaySeconds };
    });
    for (const batch of chunks(messages, QUEUE_SEND_MESSAGES)) await queue.sendBatch(batch);
    count += page.length;
    if (page.length < PAGE_SIZE) return count;
    after = page.at(-1)?.instance_id;
  }
}

/** Calls the tenants of a queued message concurrently, without retries. */
export async function deliverTick(
  { scheduledTime, workers, delaySeconds }: TickMessage,
  dispatcher: DispatchNamespace,
  domain: string,
): Promise<void> {
  if (Date.now() > Date.parse(scheduledTime) + delaySeconds * 1000 + MAX_AGE_MS) {
    log("warn", "tick.missed", { minute: scheduledTime });
    return;
  }
  await Promise.all(workers.map((worker) => deliver(worker, { scheduledTime }, dispatcher, domain)));
}

async function deliver(worker: string, body: Tick, dispatcher: DispatchNamespace, domain: string): Promise<void> {
  try {
    // A tick must be little work, regardless of the plan.
    const call = { worker, domain, path: TICK_PATH, limitsOf: "free", timeoutMs: TENANT_TIMEOUT_MS, body } as const;
    await notifyTenant(dispatcher, call);
  } catch (error) {
    log("warn", "tick.failed", { worker, reason: reasonOf(error) });
  }
}

function chunks<T>(items: T[], size: number): T[][] {
  const result: T[][] = [];
  for (let start = 0; start < items.length; start += size) result.push(items.slice(start, start + size));
  return result;
}
