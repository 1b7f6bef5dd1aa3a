/**
 * Lists the calls of one tenant in the log of an AI gateway, which tenants of a pool share. Cloudflare's filters compare names and values of the
 * metadata independently, so that another tenant's entry can match them; each entry is compared here again.
 */
import { isOwnPayer, personOf } from "#domain/ai-gateways/gateway-tenant.ts";
import type { CallOutcome, CallPage, CallQuery, ModelCall } from "#workers/contracts/api/model-call-log.ts";
import type { CallEntry, GatewayLogs, LogFilter } from "../ai-usage/gateway-logs.ts";

/** Pages of the log that one request reads. Entries of other tenants that match the filters use them up. */
const MAX_PAGES = 10;
/** Later than every ID. */
const LAST_ID = "~";

const FILTERS: Readonly<Record<CallOutcome, LogFilter>> = {
  succeeded: { key: "success", operator: "eq", value: [true] },
  failed: { key: "success", operator: "eq", value: [false] },
  flagged: { key: "dlp_action", operator: "eq", value: ["FLAG"] },
  blocked: { key: "dlp_action", operator: "eq", value: ["BLOCK"] },
};

export interface CallListing extends CallQuery {
  environment: string;
  logs: Pick<GatewayLogs, "calls">;
  /** Milliseconds since the epoch. */
  now: number;
}

interface PlacedCall extends ModelCall {
  place: string;
}

/** @throws Error when the log cannot be read */
export async function listCalls({ logs, gateway, environment, now, ...query }: CallListing): Promise<CallPage> {
  const { tenant, since, limit, after = placeOf(new Date(now + 1).toISOString(), LAST_ID), model, outcome } = query;
  const [before = ""] = after.split("~", 1);
  const filters: LogFilter[] = [
    // Entries of the same millisecond may be on the next page.
    { key: "created_at", operator: "lt", value: [new Date(Date.parse(before) + 1).toISOString()] },
    { key: "metadata.key", operator: "eq", value: ["tenant"] },
    { key: "metadata.value", operator: "eq", value: [tenant] },
    ...(model === undefined ? [] : [{ key: "model", operator: "eq", value: [model] } as const]),
    ...(outcome === undefined ? [] : [FILTERS[outcome]]),
  ];
  const isListed = (entry: CallEntry) =>
    entry.metadata.tenant === tenant &&
    entry.metadata.environment === environment &&
    Date.parse(entry.created_at) >= Date.parse(since) &&
    (outcome === undefined || outcomesOf(entry).includes(outcome)) &&
    (model === undefined || entry.model === model);
  const found = new Map<string, PlacedCall>();
  let oldest = before;
  for (let number = 1; number <= MAX_PAGES; number += 1) {
    const { entries, isLast } = await logs.calls(gateway, filters, number);
    for (const entry of entries.filter(isListed)) {
      const call = callOf(entry);
      if (call.place < after) found.set(call.id, call);
    }
    const newest = [...found.values()].toSorted((one, other) => (one.place < other.place ? 1 : -1));
    oldest = timeOf(entries.at(-1)?.created_at ?? oldest);
    const isPast = isLast || oldest < since;
    const last = newest[limit - 1];
    // Later pages of the log may have calls of the last one's millisecond.
    if (isPast || (last !== undefined && newest.length > limit && oldest < last.at))
      return pageOf(newest, limit, isPast);
  }
  // A millisecond with more entries than one request reads is left behind, so that the list ends.
  const isStuck = oldest >= before;
  const complete = [...found.values()].filter(({ at }) => isStuck || at > oldest);
  const newest = complete.toSorted((one, other) => (one.place < other.place ? 1 : -1));
  const place = placeOf(isStuck ? new Date(Date.parse(oldest) - 1).toISOString() : oldest, LAST_ID);
  return { ...pageOf(newest, limit, false), ...(newest.length <= limit && { next: place }) };
}

/** @param isAll whether no further call is in the log */
function pageOf(newest: readonly PlacedCall[], limit: number, isAll: boolean): CallPage {
  const page = newest.slice(0, limit);
  const hasMore = newest.length > limit || !isAll;
  const next = hasMore ? (page.at(-1)?.place ?? null) : null;
  return { calls: page.map(({ place: _, ...call }) => call), next };
}

const timeOf = (at: string): string => new Date(at).toISOString();
const placeOf = (at: string, id: string): string => `${at}~${id}`;

function outcomesOf({ success, dlp_action: action }: CallEntry): CallOutcome[] {
  const filtered = action === "BLOCK" ? "blocked" : action === "FLAG" ? "flagged" : undefined;
  return [success ? "succeeded" : "failed", ...(filtered === undefined ? [] : ([filtered] as const))];
}

function callOf(entry: CallEntry): PlacedCall {
  const { id, created_at, dlp_action: action, dlp_findings: findings, metadata } = entry;
  const at = timeOf(created_at);
  const places = findings.flatMap(({ check }) =>
    check === undefined ? [] : ([check === "REQUEST" ? "request" : "response"] as const),
  );
  return {
    place: placeOf(at, id),
    id,
    at,
    duration_ms: entry.duration ?? 0,
    provider: entry.provider,
    model: entry.model,
    person: personOf(metadata) ?? null,
    status_code: entry.status_code ?? null,
    success: entry.success,
    cached: entry.cached ?? false,
    input_tokens: entry.tokens_in ?? 0,
    output_tokens: entry.tokens_out ?? 0,
    cost_micros: Math.round((entry.cost ?? 0) * 1_000_000),
    own_key: isOwnPayer(metadata),
    findings:
      action === undefined
        ? null
        : {
            action: action === "BLOCK" ? "blocked" : "flagged",
            in: [...new Set(places)],
            profiles: [...new Set(findings.flatMap(({ profile }) => profile?.profile_id ?? []))],
          },
  };
}
