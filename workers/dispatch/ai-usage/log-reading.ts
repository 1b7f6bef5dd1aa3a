/**
 * Delivers the queries in a gateway's log to the tenants that made them. An entry appears when its request ends, with the time at which it
 * began. Therefore each reading overlaps the previous one, and every {@link SWEEP_EVERY}th minute by more.
 */
import { API_REQUESTS } from "@tenantry/cloudflare-limits/values";
import { isOwnPayer, personOf, slugOfGatewayTenant } from "#domain/ai-gateways/gateway-tenant.ts";
import { AI_USAGE_AGE_MS, type AiQuery, MAX_AI_QUERIES } from "#workers/contracts/tenant/metrics/ai-usage.ts";
import { log, reasonOf } from "#workers/shared/log.ts";
import type { GatewayLogs, LogEntry } from "./gateway-logs.ts";
import type { LogPositions } from "./log-positions.ts";

const MINUTE_MS = 60_000;
const OVERLAP_MS = 3 * MINUTE_MS;
const SWEEP_MS = 30 * MINUTE_MS;
const SWEEP_EVERY = 15;
/** Per reading, of each minute: a sixth of what the API accepts in five minutes. */
const MAX_PAGES = API_REQUESTS / 6;
/** Tenants ignore older queries. */
const MAX_AGE_MS = AI_USAGE_AGE_MS / 2;
/** Undelivered queries stored per tenant, newest first. */
const MAX_OWED = 5_000;

export interface LogReading {
  gateway: string;
  minute: number;
  environment: string;
  logs: Pick<GatewayLogs, "page">;
  positions: LogPositions;
  deliver: (slug: string, queries: AiQuery[]) => Promise<void>;
}

/** @returns how many queries were delivered. @throws Error when the log cannot be read */
export async function readLog(reading: LogReading): Promise<number> {
  const { gateway, minute, logs, positions } = reading;
  const before = await positions.read(gateway);
  const sweeps = before === undefined || (minute / MINUTE_MS) % SWEEP_EVERY < 1;
  const back = minute - (sweeps ? SWEEP_MS : OVERLAP_MS);
  const from = Math.max(Math.min(before?.through ?? back, back), minute - MAX_AGE_MS) - 1;
  const { entries, end = minute } = await entriesAfter(logs, gateway, from);
  const fresh = entries.filter(({ id }) => before?.seen[id] === undefined);

  const queries = new Map(Object.entries(before?.owed ?? {}));
  for (const entry of fresh) {
    const slug = tenantOf(entry, reading.environment);
    if (slug !== undefined) queries.set(slug, [...(queries.get(slug) ?? []), queryOf(entry)]);
  }
  const owed = await deliverAll(queries, reading);
  const seenFrom = Math.min(end, minute - SWEEP_MS) - MINUTE_MS;
  const began = fresh.map((entry) => [entry.id, beganAt(entry)] as const);
  const seen = [...Object.entries(before?.seen ?? {}), ...began].filter(([, at]) => at >= seenFrom);
  await positions.write(gateway, { through: end, seen: Object.fromEntries(seen), owed: Object.fromEntries(owed) });
  const count = (lists: Iterable<AiQuery[]>) => [...lists].reduce((sum, list) => sum + list.length, 0);
  return count(queries.values()) - count(owed.values());
}

const beganAt = ({ created_at }: LogEntry): number => Date.parse(created_at);

/** @returns `end` if entries remain: when the last entry that was read began */
async function entriesAfter(
  logs: LogReading["logs"],
  gateway: string,
  from: number,
): Promise<{ entries: LogEntry[]; end?: number }> {
  const entries = new Map<string, LogEntry>();
  for (let number = 1; number <= MAX_PAGES; number += 1) {
    const page = await logs.page(gateway, new Date(from), number);
    for (const entry of page.entries) entries.set(entry.id, entry);
    if (page.isLast) return { entries: [...entries.values()] };
  }
  const all = [...entries.values()];
  log("warn", "ai-usage.behind", { gateway, entries: all.length });
  return { entries: all, end: Math.max(from, ...all.map(beganAt)) - 1 };
}

/** @returns the slug of a successful query's tenant; undefined for other entries and environments */
function tenantOf({ success, metadata }: LogEntry, environment: string): string | undefined {
  const { tenant } = metadata;
  const isOurs = success && metadata.environment === environment && typeof tenant === "string";
  return isOurs ? slugOfGatewayTenant(tenant) : undefined;
}

async function deliverAll(
  queries: ReadonlyMap<string, AiQuery[]>,
  { gateway, minute, deliver }: LogReading,
): Promise<Map<string, AiQuery[]>> {
  const owed = new Map<string, AiQuery[]>();
  const deliverTo = async ([slug, all]: [string, AiQuery[]]): Promise<void> => {
    const due = all.filter(({ at }) => Date.parse(at) > minute - MAX_AGE_MS).slice(-MAX_OWED);
    for (let start = 0; start < due.length; start += MAX_AI_QUERIES) {
      try {
        await deliver(slug, due.slice(start, start + MAX_AI_QUERIES));
      } catch (error) {
        log("warn", "ai-usage.not-delivered", { gateway, slug, reason: reasonOf(error) });
        owed.set(slug, due.slice(start));
        return;
      }
    }
  };
  await Promise.all([...queries].map(deliverTo));
  return owed;
}

/** OpenTelemetry's `gen_ai.operation.name` by path. */
const OPERATIONS: readonly (readonly [RegExp, string])[] = [
  [/embeddings/, "embeddings"],
  [/chat\/completions|messages|responses|generateContent|converse/i, "chat"],
  [/completions/, "text_completion"],
];

function queryOf({ id, created_at, path, provider, model, tokens_in, tokens_out, cost, metadata }: LogEntry): AiQuery {
  const person = personOf(metadata);
  return {
    id,
    at: new Date(created_at).toISOString(),
    operation: OPERATIONS.find(([pattern]) => pattern.test(path))?.[1] ?? "",
    provider,
    model,
    inputTokens: tokens_in ?? 0,
    outputTokens: tokens_out ?? 0,
    cost: Math.round((cost ?? 0) * 1_000_000),
    ...(isOwnPayer(metadata) && { isOwnPayer: true }),
    ...(person !== undefined && { person }),
  };
}
