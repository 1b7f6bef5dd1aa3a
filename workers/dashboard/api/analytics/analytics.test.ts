/** The executive summary over HTTP, from points in the local edge's Analytics Engine. */

import { type ApiServer, account_id, startApiServer, writePoint } from "@tenantry/edge/testing/api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { analyticsRoutes } from "#workers/contracts/api/analytics.ts";
import { modelCallRoutes } from "#workers/contracts/api/model-calls.ts";
import { costPoint, type Measurement, type Metric } from "#workers/contracts/tenant/metrics/cost-metrics.ts";
import { type ApiUnderTest, startApi } from "../../testing/start-api.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Before the first usage. */
const OLD = ago(90);
const { getGlobalAnalytics, getPartnerSpend } = analyticsRoutes;

function ago(days: number): Date {
  return new Date(Date.now() - days * DAY_MS);
}

let cloudflare: ApiServer;
let api: ApiUnderTest;
beforeAll(async () => {
  cloudflare = await startApiServer();
  api = await startApi({
    CF_ACCOUNT_ID: account_id,
    CLOUDFLARE_API_URL: cloudflare.url,
    ANALYTICS_TOKEN: cloudflare.apiToken,
  });
  const { db } = api.database;
  const { north, south } = api.partners;
  for (const [slug, partner_id, status] of [
    ["acme", north, "running"],
    ["globex", south, "frozen"],
    ["inner", null, "running"],
  ] as const) {
    await insertInstance(db, await insertClient(db, { slug, name: slug, partner_id, created_at: OLD }), { status });
  }
  await insertClient(db, { slug: "draft", partner_id: north, status: "draft" });
  use("acme", "ai_spend", 300, 1);
  use("acme", "ai_queries", 3, 1);
  use("acme", "ai_queries", 4, 3, 10);
  use("acme", "container_uptime", 60, 3);
  use("acme", "ai_queries", 5, 9);
  use("globex", "ai_spend", 700, 2);
  use("inner", "websocket_sessions", 2, 8);
  use("gone", "ai_queries", 1, 1);
  use("acme", "ai_queries", 1_000, 1, 1, "development");
  use("acme", "ai_queries", 1_000, 15);
});
afterAll(async () => {
  await api?.stop();
  await cloudflare?.close();
});

/** Writes a point `days` days and one hour ago. */
function use(
  slug: string,
  metric: Metric,
  value: number,
  days: number,
  sampleInterval = 1,
  environment = "production",
) {
  write(slug, { metric, value, dimensions: { environment } }, days, sampleInterval);
}

function write(slug: string, measurement: Measurement, days: number, sampleInterval = 1) {
  const { indexes, blobs, doubles } = costPoint(slug, measurement);
  writePoint(cloudflare.analytics, "tenantry", {
    at: Date.now() - days * DAY_MS - HOUR_MS,
    index: indexes[0],
    blobs,
    doubles,
    sampleInterval,
  });
}

const summary = async (as: "root" | "north" | "south", days = "7") =>
  (await api.call(getGlobalAnalytics, { as, query: { days } })).body;

test("shows a platform root all tenants, the previous period and an entry per partner", async () => {
  const { tenants, usage, series, top, partners, period } = await summary("root");
  expect(tenants.total).toBe(4);
  expect(tenants.by_client_status).toEqual({ draft: 1, active: 0, production: 3 });
  expect(tenants.by_instance_status).toMatchObject({ running: 2, frozen: 1, none: 1 });
  // Includes a deleted tenant. A sampled point counts for ten.
  expect(usage.current).toMatchObject({ ai_queries: 3 + 40 + 1, ai_spend: 1_000, container_uptime: 60 });
  expect(usage.previous).toMatchObject({ ai_queries: 5, websocket_sessions: 2, ai_spend: 0 });
  expect(top.map(({ slug, usage: used }) => [slug, used.ai_spend])).toEqual([
    ["globex", 700],
    ["acme", 300],
  ]);
  expect(
    partners?.map(({ partner, tenants: count, usage: used }) => [
      partner?.slug ?? null,
      count,
      used.current.ai_queries,
    ]),
  ).toEqual([
    [null, 1, 0],
    ["north", 2, 43],
    ["south", 1, 0],
  ]);
  const day = (ago: number) => new Date(Date.parse(period.to) - ago * DAY_MS - HOUR_MS).toISOString().slice(0, 10);
  expect(series.map((line) => [line.day, line.usage.ai_queries])).toEqual([
    [day(3), 40],
    [day(2), 0],
    [day(1), 4],
  ]);
});

test("shows a partner root only its own clients, without entries per partner", async () => {
  const north = await summary("north");
  expect(north.tenants.total).toBe(2);
  expect(north.usage.current).toMatchObject({ ai_queries: 43, ai_spend: 300 });
  expect(north.series.reduce((sum, { usage }) => sum + usage.ai_spend, 0)).toBe(300);
  expect([north.top.map(({ slug }) => slug), north.partners]).toEqual([["acme"], null]);
  expect((await summary("south")).usage.current).toMatchObject({ ai_queries: 0, ai_spend: 700 });
});

test("shows a partner root only its own client's usage of a reused slug", async () => {
  const { south } = api.partners;
  await insertClient(api.database.db, { slug: "young", partner_id: south, created_at: ago(2) });
  for (const [bytes, days] of [
    [900, 3],
    [90, 6],
    [9, 1],
  ] as const) {
    use("young", "object_storage_bandwidth", bytes, days);
  }
  const { usage, series } = await summary("south", "4");
  expect([usage.current.object_storage_bandwidth, usage.previous.object_storage_bandwidth]).toEqual([9, 0]);
  expect(series.reduce((sum, line) => sum + line.usage.object_storage_bandwidth, 0)).toBe(9);
  await api.database.pool.query("delete from tenantry.clients where slug = 'young'");
});

test("shows a platform root the tenant's own usage of a reused slug by tenant and partner, and all of it in the sums", async () => {
  const { db, pool } = api.database;
  const { north, south } = api.partners;
  // Has recorded usage, so its billing account remains.
  await insertClient(db, { slug: "reborn", partner_id: north, created_at: OLD });
  await pool.query("delete from tenantry.clients where slug = 'reborn'");
  await insertClient(db, { slug: "reborn", partner_id: south, created_at: ago(2) });
  for (const [spent, days] of [
    [5_000, 3],
    [7_000, 8],
    [40, 1],
  ] as const) {
    use("reborn", "ai_spend", spent, days);
  }
  const { usage, top, partners } = await summary("root", "5");
  expect(top.find(({ slug }) => slug === "reborn")?.usage.ai_spend).toBe(40);
  const bySlug = (slug: string) => partners?.find(({ partner }) => partner?.slug === slug)?.usage;
  expect(bySlug("south")?.current.ai_spend).toBe(700 + 40);
  expect(bySlug("south")?.previous.ai_spend).toBe(0);
  expect(bySlug("north")?.current.ai_spend).toBe(300);
  expect(usage.current.ai_spend).toBe(1_000 + 5_040);
  expect(usage.previous.ai_spend).toBe(7_000);
  await pool.query("delete from tenantry.clients where slug = 'reborn'");
});

test("shows only platform roots the spend by partner and day, from the ledger", async () => {
  const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
  const { pool } = api.database;
  for (const [slug, metric, quantity, ago] of [
    ["acme", "ai_spend", 300, 1],
    ["draft", "ai_spend", 100, 1],
    ["acme", "ai_spend", 50, 2],
    ["globex", "ai_spend", 900, 2],
    ["inner", "ai_spend", 7, 1],
    ["inner", "ai_spend", 0, 2],
    ["acme", "ai_queries", 5, 1],
    ["acme", "ai_spend", 1_000, 9],
  ] as const) {
    await pool.query(
      `insert into tenantry.usage_daily (client_id, day, metric, quantity, computed_at)
       select id, $2, $3, $4, now() from tenantry.clients where slug = $1`,
      [slug, day(ago), metric, quantity],
    );
  }
  const reported = async () =>
    (await api.call(getPartnerSpend, { as: "root", query: { days: "7" } })).body.partners.map(({ partner, series }) => [
      partner?.slug ?? null,
      ...series.map((line) => [line.day, line.ai_spend]),
    ]);
  const expected = [
    ["south", [day(2), 900]],
    ["north", [day(2), 50], [day(1), 400]],
    [null, [day(1), 7]],
  ];
  expect(await reported()).toEqual(expected);
  // Billing records remain after their client is deleted.
  await pool.query("delete from tenantry.clients where slug = 'draft'");
  expect(await reported()).toEqual(expected);
  expect(await api.refused(getPartnerSpend, { as: "north", query: {} })).toMatchObject({ status: 403 });
});

test("caches figures for a minute, separately for each partner", async () => {
  const before = await summary("root", "3");
  use("acme", "ai_queries", 50, 1);
  expect(await summary("root", "3")).toEqual(before);
  expect((await summary("north", "3")).usage.current.ai_queries).toBe(3 + 50);
});

test("queries many tenants in batches", async () => {
  const { db } = api.database;
  const values = { partner_id: api.partners.south, created_at: OLD };
  for (let n = 0; n < 120; n++) await insertClient(db, { slug: `many-${n}`, ...values });
  use("many-119", "ai_spend", 11, 1);
  use("many-1", "ai_spend", 22, 1);
  expect((await summary("south", "5")).usage.current.ai_spend).toBe(700 + 33);
});

describe("spending of a client", () => {
  const ADMIN = "ada@spender.test";
  let client_id: string;
  const called = (days: number, name: string, spent: number, person?: string) => {
    const dimensions = { environment: "production", provider: "openai", model: name, ...(person && { person }) };
    write("spender", { metric: "ai_spend", value: spent, dimensions }, days);
    write("spender", { metric: "ai_queries", value: 1, inputTokens: 9, outputTokens: 3, dimensions }, days);
  };
  const spent = async (as: As, query: Record<string, string> = {}) =>
    (await api.call(modelCallRoutes.getSpending, { as, params: { client_id }, query })).body;
  type As = Parameters<ApiUnderTest["call"]>[1]["as"];
  const ada = { slug: "spender", email: ADMIN };

  beforeAll(async () => {
    const { db } = api.database;
    client_id = await insertClient(db, { slug: "spender", partner_id: api.partners.north, created_at: ago(20) });
    const instance = await insertInstance(db, client_id);
    await insertClientUser(db, { client_id, email: ADMIN, role: "ADMIN", status: "validated" }, [instance]);
    called(2, "gpt-5", 500, "ada@spender.test");
    called(2, "gpt-5", 200, "bob@spender.test");
    called(2, "gpt-5-mini", 30);
    called(3, "gpt-5-mini", 9, "it's Bob");
    // Of an earlier client with the slug.
    called(25, "gpt-5", 7_000, "ada@spender.test");
  });
  test("is divided by model, the same for its ADMIN and for roots", async () => {
    const { data, truncated } = await spent(ada);
    expect(truncated).toBe(false);
    const tokens = (calls: number) => ({ calls, input_tokens: 9 * calls, output_tokens: 3 * calls });
    const [at2, at3] = [2, 3].map((days) => new Date(Date.now() - days * DAY_MS - HOUR_MS).toISOString().slice(0, 10));
    expect(data).toEqual([
      { period: at3, provider: "openai", name: "gpt-5-mini", spent_micros: 9, ...tokens(1) },
      { period: at2, provider: "openai", name: "gpt-5", spent_micros: 700, ...tokens(2) },
      { period: at2, provider: "openai", name: "gpt-5-mini", spent_micros: 30, ...tokens(1) },
    ]);
    for (const as of ["root", "north"] as const) expect((await spent(as)).data).toEqual(data);
  });

  test("is divided by person and month, with calls of nobody apart", async () => {
    const { data } = await spent(ada, { by: "person", per: "month" });
    const months = new Set(data.map(({ period }) => period));
    for (const month of months) expect(month).toMatch(/^\d{4}-\d\d-01$/);
    const sums = new Map<string | null, number>();
    for (const { name, spent_micros } of data) sums.set(name, (sums.get(name) ?? 0) + spent_micros);
    expect(Object.fromEntries(sums)).toEqual({
      "ada@spender.test": 500,
      "bob@spender.test": 200,
      "it's Bob": 9,
      null: 30,
    });
    expect(data.every(({ provider }) => provider === null)).toBe(true);
  });

  test("is hidden from other partners and clients, and limited to 92 days", async () => {
    const params = { client_id };
    expect(await api.refused(modelCallRoutes.getSpending, { as: "south", params })).toMatchObject({ status: 404 });
    const query = { from: "2026-01-01", to: "2026-06-01" };
    expect(await api.refused(modelCallRoutes.getSpending, { as: ada, params, query })).toMatchObject({ status: 400 });
  });
});

test("refuses invalid days, and hides the error text of Analytics Engine", async () => {
  expect(await api.refused(getGlobalAnalytics, { as: "root", query: { days: "46" } })).toMatchObject({ status: 400 });
  await cloudflare.close();
  expect(await api.refused(getGlobalAnalytics, { as: "root", query: { days: "9" } })).toMatchObject({
    status: 503,
    error: { code: "tenant_unavailable", message: "The usage is temporarily unavailable. Try again in a moment." },
  });
  cloudflare = await startApiServer();
});
