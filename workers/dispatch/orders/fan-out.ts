/** The minute's tick: all active tenants, through the queue in batches, so that it grows past the subrequest limit. */
import * as z from "zod";
import { TICK_PATH, type Tick } from "#workers/contracts/tenant/internal.ts";
import { log, reasonOf } from "#workers/shared/log.ts";
import type { Database } from "../tenants/database.ts";
import { callTenant } from "./platform-call.ts";

/** Tenants read from the database at once; the database allows no more. */
const PAGE_SIZE = 1_000;
/** Tenants a message names. */
const TENANTS_A_MESSAGE = 20;
/** Messages `sendBatch` takes at once. */
const MESSAGES_A_BATCH = 100;
const TENANT_TIMEOUT_MS = 5_000;
/** Over how many seconds of the minute the messages are spread, one a second and round again. */
const SPREAD_SECONDS = 45;
/** A tick so much later than it was to come is dropped: the next one is due. */
const MAX_AGE_MS = 60_000;

export const tickMessage = z.object({
  v: z.literal(1),
  scheduledTime: z.iso.datetime(),
  /** How long it was held back, so that not all tenants are called at once. */
  delaySeconds: z.number().nonnegative().default(0),
  workers: z.array(z.string()).max(TENANTS_A_MESSAGE),
});
export type TickMessage = z.infer<typeof tickMessage>;

/** Queues the tick of one minute, spread over it. @returns how many tenants it is for. @throws DatabaseUnavailable */
export async function queueTicks(scheduledTime: number, database: Database, queue: Queue<unknown>): Promise<number> {
  const time = new Date(scheduledTime).toISOString();
  let count = 0;
  let sent = 0;
  let after: string | undefined;
  for (;;) {
    const page = await database.activeTenants(after, PAGE_SIZE);
    const messages = chunks(page, TENANTS_A_MESSAGE).map((tenants) => {
      const workers = tenants.map((tenant) => tenant.worker_name);
      const delaySeconds = sent % SPREAD_SECONDS;
      sent += 1;
      return { body: { v: 1, scheduledTime: time, delaySeconds, workers }, delaySeconds };
    });
    for (const batch of chunks(messages, MESSAGES_A_BATCH)) await queue.sendBatch(batch);
    count += page.length;
    if (page.length < PAGE_SIZE) return count;
    after = page.at(-1)?.instance_id;
  }
}

/**
 * Delivers a queued tick. Tenants are called side by side and each within its own time; none is called again for the same
 * minute, since the next one follows.
 */
export async function deliverTick(
  { scheduledTime, workers, delaySeconds }: TickMessage,
  dispatcher: DispatchNamespace,
  domain: string,
): Promise<void> {
  if (Date.now() > dueBy({ scheduledTime, delaySeconds })) {
    log("warn", "tick.missed", { minute: scheduledTime });
    return;
  }
  await Promise.all(workers.map((worker) => deliver(worker, { scheduledTime }, dispatcher, domain)));
}

function dueBy({ scheduledTime, delaySeconds }: Pick<TickMessage, "scheduledTime" | "delaySeconds">): number {
  return Date.parse(scheduledTime) + delaySeconds * 1000 + MAX_AGE_MS;
}

async function deliver(worker: string, body: Tick, dispatcher: DispatchNamespace, domain: string): Promise<void> {
  try {
    // A tick is to be small work, whatever the plan.
    const call = { worker, domain, path: TICK_PATH, limitsOf: "free", timeoutMs: TENANT_TIMEOUT_MS, body } as const;
    const response = await callTenant(dispatcher, call);
    await response.body?.cancel();
    if (!response.ok) throw new Error(`status ${response.status}`);
  } catch (error) {
    log("warn", "tick.failed", { worker, reason: reasonOf(error) });
  }
}

function chunks<T>(items: T[], size: number): T[][] {
  const result: T[][] = [];
  for (let start = 0; start < items.length; start += size) result.push(items.slice(start, start + size));
  return result;
}
