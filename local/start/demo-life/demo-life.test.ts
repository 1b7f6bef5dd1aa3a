import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertInstance } from "../../../database/testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "../../../database/testing/test-database.ts";
import { Analytics } from "../../cloudflare/kinds/analytics/data-points.ts";
import { giveDemoPast } from "./demo-life.ts";

let database: TestDatabase;
let directory: string;
let analytics: Analytics;
beforeAll(async () => {
  database = await startTestDatabase();
  directory = await mkdtemp(join(tmpdir(), "demo-"));
  analytics = new Analytics(directory);
  for (const [slug, managed_by] of [
    ["acme", "git"],
    ["hooli", "git"],
    ["umbrella", "dashboard"],
    ["elsewhere", "git"],
  ] as const) {
    const client = await insertClient(database.db, { slug, managed_by });
    await insertInstance(database.db, client, { managed_by });
  }
});
afterAll(async () => {
  analytics?.close();
  await rm(directory, { recursive: true, force: true });
  await database?.stop();
});

const all = async (statement: string) => (await database.pool.query(statement)).rows;
const give = () => giveDemoPast({ databaseUrl: database.url, runtime: { analytics } });
const used = () =>
  all(`select c.slug, u.metric, sum(u.quantity)::float8 as quantity from tenantry.usage_daily u
       join tenantry.clients c on c.id = u.client_id group by 1, 2 order by 1, 2`);

test("the demo's own tenants have a past whose books and points agree, once, and nobody else has", async () => {
  await give();
  const booked = await used();
  expect([...new Set(booked.map(({ slug }) => slug))]).toEqual(["acme", "hooli"]);
  const points = analytics.points("tenantry", 0);
  const sums = new Map<string, number>();
  for (const { index, blobs, doubles } of points) {
    const key = `${index} ${blobs[0]}`;
    sums.set(key, (sums.get(key) ?? 0) + (doubles[0] ?? 0));
    expect(blobs).toContain("demo data");
  }
  expect(Object.fromEntries(booked.map((row) => [`${row.slug} ${row.metric}`, row.quantity]))).toEqual(
    Object.fromEntries(sums),
  );
  const invoices = await all("select status, total_micros::float8 as total from tenantry.invoices");
  expect(invoices.map(({ status }) => status)).toEqual(["issued", "issued"]);
  expect(invoices.every(({ total }) => total > 29_000_000)).toBe(true);
  expect(await all("select note from tenantry.credit_entries where kind = 'purchase'")).toEqual([
    { note: "Demo data" },
    { note: "Demo data" },
  ]);
  expect((await all("select count(*)::int as n from tenantry.instance_health_snapshots"))[0].n).toBe(2 * 287);

  await give();
  expect(await used()).toEqual(booked);
  expect(analytics.points("tenantry", 0)).toHaveLength(points.length);
  expect((await all("select count(*)::int as n from tenantry.client_users"))[0].n).toBe(4);
});
