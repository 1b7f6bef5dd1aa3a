import { type ApiServer, account_id, startApiServer, writePoint } from "@tenantry/edge/testing/api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readPool } from "#database/billing/credit-pool.ts";
import { bookCredit } from "#database/billing/credits.ts";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import { costPoint, type Metric } from "#workers/contracts/tenant/metrics/cost-metrics.ts";
import { requestRun } from "../testing/requested-run.ts";
import { startTestService } from "../testing/test-service.ts";
import { lastMonth } from "./invoices.ts";

type Service = Awaited<ReturnType<typeof startTestService>>;

const HOUR_MS = 3_600_000;

let database: TestDatabase;
let api: ApiServer;
let service: Service;
let clientId: string;
beforeAll(async () => {
  database = await startTestDatabase();
  api = await startApiServer();
  service = await startTestService(database, {
    CLOUDFLARE_API_URL: api.url,
    CLOUDFLARE_API_TOKEN: api.apiToken,
    CLOUDFLARE_ACCOUNT_ID: account_id,
  });
  clientId = await insertClient(database.db, { slug: "acme", created_at: new Date(Date.now() - 100 * 24 * HOUR_MS) });
  await insertInstance(database.db, clientId);
});
afterAll(async () => {
  await service.stop();
  await api.close();
  await database.stop();
});

function use(slug: string, metric: Metric, value: number, hoursAgo: number) {
  const { indexes, blobs, doubles } = costPoint(slug, { metric, value, dimensions: { environment: "production" } });
  writePoint(api.analytics, "tenantry", { at: Date.now() - hoursAgo * HOUR_MS, index: indexes[0], blobs, doubles });
}

const usage = async () => {
  const { rows } = await database.pool.query<{ metric: string; quantity: string }>(
    "select metric, sum(quantity)::text as quantity from tenantry.usage_daily where client_id = $1 group by 1 order by 1",
    [clientId],
  );
  return rows.map(({ metric, quantity }) => [metric, quantity]);
};

test("stores and books usage by day once, corrects it by late points, and logs unknown slugs", async () => {
  use("acme", "ai_spend", 250_000, 1);
  use("acme", "ai_queries", 2, 30);
  use("nobody", "ai_queries", 1, 1);
  await requestRun(database, "roll_up_usage");
  await requestRun(database, "roll_up_usage");
  expect(await usage()).toEqual([
    ["ai_queries", "2"],
    ["ai_spend", "250000"],
  ]);
  use("acme", "ai_queries", 3, 30);
  await requestRun(database, "roll_up_usage");
  expect(await usage()).toEqual([
    ["ai_queries", "5"],
    ["ai_spend", "250000"],
  ]);
  await service.lines.find(({ event, unknown }) => event === "usage_rolled_up" && unknown === "nobody");
});

test("does not bill a client for the former client of its slug", async () => {
  const before = await insertClient(database.db, {
    slug: "again",
    created_at: new Date(Date.now() - 9 * 24 * HOUR_MS),
  });
  use("again", "ai_spend", 7, 26);
  use("again", "ai_spend", 3, 0.2);
  await requestRun(database, "roll_up_usage");
  await database.pool.query("delete from tenantry.clients where id = $1", [before]);
  const made = await insertClient(database.db, { slug: "again", created_at: new Date(Date.now() - 0.1 * HOUR_MS) });
  use("again", "ai_spend", 5, 0.05);
  await requestRun(database, "roll_up_usage");
  const { rows } = await database.pool.query(
    "select client_id, sum(quantity)::text as spent from tenantry.usage_daily where client_id = any ($1) group by 1",
    [[before, made]],
  );
  expect(new Map(rows.map(({ client_id, spent }) => [client_id, spent]))).toEqual(
    new Map([
      [before, "10"],
      [made, "5"],
    ]),
  );
});

test("does not bill a client for a draft that had its slug", async () => {
  const before = await insertClient(database.db, { slug: "draft", status: "draft", billing_plan: "free" });
  const instance = await insertInstance(database.db, before);
  use("draft", "ai_spend", 7, 0.2);
  await database.pool.query("delete from tenantry.instances where id = $1", [instance]);
  await database.pool.query("delete from tenantry.clients where id = $1", [before]);
  const made = await insertClient(database.db, { slug: "draft", created_at: new Date(Date.now() - 0.1 * HOUR_MS) });
  use("draft", "ai_spend", 5, 0.05);
  await requestRun(database, "roll_up_usage");
  const spent = "select sum(quantity)::text as spent from tenantry.usage_daily where client_id = $1";
  expect((await database.pool.query(spent, [made])).rows).toEqual([{ spent: "5" }]);
});

test("advances the state of used-up credit by schedule, and resets it by a top-up", async () => {
  const { db } = database;
  const book = (amountMicros: bigint, reference: string) =>
    db
      .transaction()
      .execute((tx) => bookCredit(tx, { clientId, amountMicros, kind: "purchase", reference, at: new Date() }));
  await book(1n, "first");
  use("acme", "ai_spend", 5_000_000, 1);
  await requestRun(database, "roll_up_usage");
  const state = async () => (await readPool(db, clientId))?.state;
  expect(await state()).toBe("grace");
  await database.pool.query(
    "update tenantry.credit_pools set state_deadline = now() - interval '1 second' where client_id = $1",
    [clientId],
  );
  await requestRun(database, "advance_credits");
  expect(await state()).toBe("frozen");
  await book(1_000_000_000n, "second");
  expect(await state()).toBe("ok");
});

test("invoices the previous month once", async () => {
  await database.pool.query(
    `update tenantry.clients set created_at = now() - interval '3 months';
     update tenantry.client_plans set valid_from = valid_from - 93`,
  );
  await requestRun(database, "issue_invoices");
  await requestRun(database, "issue_invoices");
  const { rows } = await database.pool.query(
    "select status, to_char(period_start, 'YYYY-MM') as month from tenantry.invoices where client_id = $1",
    [clientId],
  );
  expect(rows).toEqual([{ status: "issued", month: lastMonth(new Date()) }]);
});

test("returns December of the previous year in January", () => {
  expect(lastMonth(new Date("2027-01-01T00:00:00Z"))).toBe("2026-12");
});
