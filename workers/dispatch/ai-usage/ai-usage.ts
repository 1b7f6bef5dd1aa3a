/** Reads the AI gateways' logs each minute: one message per gateway on the fan-out queue. */
import * as z from "zod";
import type { Environment } from "#domain/environment.ts";
import { tenantScriptName } from "#domain/names/physical-name.ts";
import { slugFault } from "#domain/names/slug.ts";
import { AI_USAGE_PATH, type AiQuery, type AiUsageOrder } from "#workers/contracts/tenant/metrics/ai-usage.ts";
import { log, reasonOf } from "#workers/shared/log.ts";
import type { Settings } from "../env.ts";
import { WorkerMissing } from "../forward/worker-call.ts";
import { notifyTenant } from "../orders/platform-call.ts";
import { logsOf } from "./gateway-logs.ts";
import { logPositions } from "./log-positions.ts";
import { readLog } from "./log-reading.ts";

const TENANT_TIMEOUT_MS = 10_000;

export const readingMessage = z.object({
  v: z.literal(1),
  scheduledTime: z.iso.datetime(),
  gateway: z.string(),
});
export type ReadingMessage = z.infer<typeof readingMessage>;

/** Queues one message per gateway. Does not reject. */
export async function queueReadings(
  scheduledTime: number,
  settings: Settings,
  queue: Queue<ReadingMessage>,
): Promise<void> {
  try {
    const time = new Date(scheduledTime).toISOString();
    const gateways = await logsOf(settings).gateways();
    const messages = gateways.map((gateway) => ({ body: { v: 1 as const, scheduledTime: time, gateway } }));
    if (messages.length > 0) await queue.sendBatch(messages);
  } catch (error) {
    log("error", "ai-usage.not-read", { reason: reasonOf(error) });
  }
}

/** Reads a gateway's log. Does not reject: the next minute's message continues. */
export async function deliverReading(
  { gateway, scheduledTime }: ReadingMessage,
  { settings, kv, dispatcher }: { settings: Settings; kv: KVNamespace; dispatcher: DispatchNamespace },
): Promise<void> {
  const { ENVIRONMENT: environment, PLATFORM_DOMAIN: domain } = settings;
  try {
    const queries = await readLog({
      gateway,
      minute: Date.parse(scheduledTime),
      environment,
      logs: logsOf(settings),
      positions: logPositions(kv, environment),
      deliver: (slug, queries) => deliver(slug, queries, { environment, domain, dispatcher }),
    });
    if (queries > 0) log("log", "ai-usage.counted", { gateway, queries });
  } catch (error) {
    log("error", "ai-usage.not-read", { gateway, reason: reasonOf(error) });
  }
}

async function deliver(
  slug: string,
  queries: AiQuery[],
  { environment, domain, dispatcher }: { environment: Environment; domain: string; dispatcher: DispatchNamespace },
): Promise<void> {
  if (slugFault(slug) !== undefined) return;
  const worker = tenantScriptName(slug, environment);
  const body: AiUsageOrder = { queries };
  const call = { worker, domain, path: AI_USAGE_PATH, limitsOf: "free", timeoutMs: TENANT_TIMEOUT_MS, body } as const;
  try {
    await notifyTenant(dispatcher, call);
  } catch (error) {
    // A deleted tenant has no metrics.
    if (!(error instanceof WorkerMissing)) throw error;
  }
}
