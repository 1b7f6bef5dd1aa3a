/** Calls of tenants that share an AI gateway, from its log in the local edge's API. */
import { type ApiServer, account_id, startApiServer } from "@tenantry/edge/testing/api";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CallQuery, callCursor } from "#workers/contracts/api/model-call-log.ts";
import { type CallEntry, GatewayLogs } from "../ai-usage/gateway-logs.ts";
import { type CallListing, listCalls } from "./call-list.ts";

const START = Date.parse("2026-11-22T12:00:00.000Z");
const SINCE = new Date(START - 1_000_000_000).toISOString();
const POOL = "pool-a";

let api: ApiServer;
let ids = 0;
beforeAll(async () => {
  api = await startApiServer();
  await api.cloudflare.aiGateway.create({
    ...{ account_id, id: POOL, cache_invalidate_on_update: true, cache_ttl: 0, collect_logs: true },
    ...{ rate_limiting_interval: 0, rate_limiting_limit: 0 },
  });
});
afterAll(() => api?.close());

type Entry = Parameters<ApiServer["gateways"]["logs"]["add"]>[1];

/** Adds a call that began some milliseconds after the start. @returns its ID */
function add(after: number, metadata: Entry["metadata"], more: Partial<Entry> = {}): string {
  const id = `01J${String(++ids).padStart(7, "0")}`;
  const created_at = new Date(START + after).toISOString();
  api.gateways.logs.add(POOL, {
    ...{ id, created_at, duration: 120, provider: "openai", model: "gpt-5", path: "chat/completions", step: 0 },
    ...{ success: true, cached: false, status_code: 200, tokens_in: 5, tokens_out: 2, cost: 0.0015 },
    ...{ custom_cost: false, metadata, dlp: undefined },
    ...{ request_content_type: "application/json", response_content_type: "application/json" },
    ...more,
  });
  return id;
}
const of = (tenant: string, more: Entry["metadata"] = {}) => ({
  tenant,
  environment: "production",
  plan: "pro",
  ...more,
});

const list = (query: Partial<CallListing> = {}) =>
  listCalls({
    ...{ gateway: POOL, tenant: "acme", since: SINCE, limit: 10, environment: "production", now: START + 1e9 },
    logs: new GatewayLogs({ url: api.url, accountId: account_id, token: api.apiToken }),
    ...query,
  });

test("lists a tenant's own calls alone, also if others forge names and values of the metadata", async () => {
  const own = add(0, of("acme", { person: "ada@acme.test" }));
  const paid = add(1, of("acme", { payer: "tenant" }), { cost: 0, tokens_in: 0 });
  // What the Worker of another tenant lets a container add, and what Cloudflare's filter matches.
  const forged = [
    of("hooli", { x: "acme" }),
    of("hooli", { person: "acme" }),
    of("hooli", { "tenant ": "acme", Tenant: "acme" }),
    of("acme~2"),
    of("acme", { environment: "staging" }),
    { x: "tenant", y: "acme" },
  ].map((metadata, place) => add(2 + place, metadata as Entry["metadata"]));
  const raw = await api.cloudflare.aiGateway.logs.list(POOL, {
    account_id,
    filters: [
      { key: "metadata.key", operator: "eq", value: ["tenant"] },
      { key: "metadata.value", operator: "eq", value: ["acme"] },
    ],
  });
  expect(raw.result.map(({ id }) => id)).toContain(forged[0]);

  const { calls, next } = await list();
  expect(next).toBeNull();
  expect(calls.map(({ id }) => id)).toEqual([paid, own]);
  expect(calls[0]).toMatchObject({ own_key: true, person: null });
  expect(calls[1]).toEqual({
    ...{ id: own, at: "2026-11-22T12:00:00.000Z", duration_ms: 120, provider: "openai", model: "gpt-5" },
    ...{ person: "ada@acme.test", status_code: 200, success: true, cached: false, input_tokens: 5, output_tokens: 2 },
    ...{ cost_micros: 1_500, own_key: false, findings: null },
  });
  expect((await list({ tenant: "hooli" })).calls.map(({ id }) => id)).toEqual(forged.slice(0, 3).toReversed());
  expect((await list({ tenant: "acme~2" })).calls.map(({ id }) => id)).toEqual([forged[3]]);
  // An earlier client with the slug.
  expect((await list({ since: new Date(START + 1).toISOString() })).calls.map(({ id }) => id)).toEqual([paid]);
});

test("filters by model and outcome, with what the filter of personal data found", async () => {
  const profile = { context: {}, entry_ids: ["e"], profile_id: "financial" };
  const found = (check: "REQUEST" | "RESPONSE", action: "FLAG" | "BLOCK") => ({
    dlp: { action, findings: [{ profile, policy_ids: [], check }] },
  });
  const flagged = add(100, of("filtered"), { ...found("RESPONSE", "FLAG") });
  const blocked = add(101, of("filtered"), { ...found("REQUEST", "BLOCK"), success: false, status_code: 424 });
  const failed = add(102, of("filtered"), { success: false, status_code: 500, model: "other" });
  const idsOf = async (query: Partial<CallQuery>) =>
    (await list({ tenant: "filtered", ...query })).calls.map(({ id }) => id);
  expect(await idsOf({})).toEqual([failed, blocked, flagged]);
  expect(await idsOf({ outcome: "flagged" })).toEqual([flagged]);
  expect(await idsOf({ outcome: "blocked" })).toEqual([blocked]);
  expect(await idsOf({ outcome: "failed" })).toEqual([failed, blocked]);
  expect(await idsOf({ outcome: "succeeded" })).toEqual([flagged]);
  expect(await idsOf({ model: "other", outcome: "failed" })).toEqual([failed]);
  const { calls } = await list({ tenant: "filtered", outcome: "blocked" });
  expect(calls[0]?.findings).toEqual({ action: "blocked", in: ["request"], profiles: ["financial"] });
});

describe("page by page", () => {
  const SIZE = 5;
  const entry = (id: string, after: number, tenant = "acme"): CallEntry => ({
    ...{ id, created_at: new Date(START + after).toISOString(), path: "", provider: "", model: "", success: true },
    ...{ metadata: { ...of(tenant), x: "acme" }, dlp_findings: [] },
  });
  /** Entries of the same millisecond are in another order on each reading, as the vendor states none. */
  const logOf = (entries: readonly CallEntry[]): Pick<GatewayLogs, "calls"> => ({
    async calls(_gateway, [until], number) {
      const before = String(until?.value[0]);
      const sorted = entries
        .filter(({ created_at }) => created_at < before)
        .toSorted((one, other) => (one.created_at < other.created_at ? 1 : -1));
      const page = sorted.slice((number - 1) * SIZE, number * SIZE);
      return { entries: page, isLast: page.length < SIZE };
    },
  });
  async function all(entries: readonly CallEntry[], limit: number): Promise<string[]> {
    const ids: string[] = [];
    for (let after: string | undefined, rounds = 0; rounds <= entries.length; rounds += 1) {
      const page = await list({ logs: logOf(entries), limit, ...(after !== undefined && { after }) });
      expect(page.calls.length).toBeLessThanOrEqual(limit);
      ids.push(...page.calls.map(({ id }) => id));
      if (page.next === null) return ids;
      expect(callCursor.safeParse(page.next).success).toBe(true);
      after = page.next;
    }
    return expect.fail("the list does not end");
  }

  test("returns each call once, newest first, although calls began at once and others forge matches", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ after: fc.integer({ min: 0, max: 30 }), isOwn: fc.boolean() }), { maxLength: 120 }),
        fc.integer({ min: 1, max: 12 }),
        async (given, limit) => {
          const entries = given.map(({ after, isOwn }, place) =>
            entry(`01J${String(place).padStart(4, "0")}`, after, isOwn ? "acme" : "hooli"),
          );
          const crowds = Map.groupBy(entries, ({ created_at }) => created_at);
          fc.pre([...crowds.values()].every(({ length }) => length < SIZE * 10));
          const own = entries
            .filter(({ metadata }) => metadata.tenant === "acme")
            .map(({ id, created_at }) => `${created_at} ${id}`)
            .toSorted()
            .toReversed();
          expect(await all(entries, limit)).toEqual(own.map((place) => place.split(" ")[1]));
        },
      ),
      { numRuns: 300 },
    );
  });

  test("ends although one millisecond has more entries than a request reads", async () => {
    const crowd = Array.from({ length: 90 }, (_, place) => entry(`crowd-${place}`, 10, "hooli"));
    expect(await all([entry("new", 11), ...crowd, entry("old", 9)], 3)).toEqual(["new", "old"]);
  });
});
