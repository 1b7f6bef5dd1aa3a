import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Analytics } from "@tenantry/edge/analytics";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import { addDemoHistory } from "./demo-history.ts";
import { demoWarnings } from "./warnings.ts";

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
    // Invited before the demo's users are added.
    if (slug === "acme") await insertClientUser(database.db, { client_id: client, email: "cleo@acme.example" });
  }
});
afterAll(async () => {
  analytics?.close();
  await rm(directory, { recursive: true, force: true });
  await database?.stop();
});

const all = async (statement: string) => (await database.pool.query(statement)).rows;
const add = () => addDemoHistory({ databaseUrl: database.url, runtime: { analytics } });
const used = () =>
  all(`select c.slug, u.metric, sum(u.quantity)::float8 as quantity from tenantry.usage_daily u
       join tenantry.clients c on c.id = u.client_id group by 1, 2 order by 1, 2`);

test("adds history to the demo's Git tenants once, with the same usage in billing and analytics", async () => {
  expect(await add()).toEqual([]);
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

  expect(await add()).toEqual([]);
  expect(await used()).toEqual(booked);
  expect(analytics.points("tenantry", 0)).toHaveLength(points.length);
  expect((await all("select count(*)::int as n from tenantry.client_users"))[0].n).toBe(4);
});

const recreate = async (slug: string) => {
  await database.pool.query(
    "delete from tenantry.instances i using tenantry.clients c where c.id = i.client_id and c.slug = $1",
    [slug],
  );
  await database.pool.query("delete from tenantry.clients where slug = $1", [slug]);
  const client = await insertClient(database.db, { slug, managed_by: "git" });
  await insertInstance(database.db, client, { managed_by: "git" });
  return client;
};

test("adds no history to a tenant that was deleted and created again, because it would include its predecessor's usage", async () => {
  const before = analytics.points("tenantry", 0).length;
  const people = await all("select email from tenantry.client_users order by 1");
  const client = await recreate("hooli");
  expect(await add()).toEqual([]);
  expect(await all(`select from tenantry.usage_daily where client_id = '${client}'`)).toEqual([]);
  expect(await all(`select from tenantry.credit_entries where client_id = '${client}'`)).toEqual([]);
  expect(analytics.points("tenantry", 0)).toHaveLength(before);
  expect(await all("select email from tenantry.client_users order by 1")).toEqual(people);
  expect(
    (
      await all(`select created_at > now() - interval '1 hour' as recent from tenantry.clients where id = '${client}'`)
    )[0].recent,
  ).toBe(true);
});

test("reports one tenant's failure as a warning without the database's message, and adds history to the others", async () => {
  const { pool, db } = database;
  await pool.query("update tenantry.clients set managed_by = 'git' where slug = 'umbrella'");
  const lab = await insertClient(db, { slug: "lab" });
  await insertInstance(db, lab);
  await pool.query(`
    create function tenantry.fail_for_lab() returns trigger language plpgsql as $$
    begin insert into tenantry.partners (slug, name) values ('globex', 'x'), ('globex', 'x'); return new; end $$;
    create trigger fail_for_lab before insert on tenantry.credit_entries for each row
      when (new.client_id = '${lab}') execute function tenantry.fail_for_lab()`);
  const failures = await add();
  expect(failures.map(({ what }) => what)).toEqual(["the tenant lab"]);
  const history =
    "select c.slug from tenantry.credit_entries e join tenantry.clients c on c.id = e.client_id where e.reference = 'demo-data' order by 1";
  expect(await all(history)).toEqual([{ slug: "acme" }, { slug: "umbrella" }]);
  const warnings = demoWarnings(failures, directory);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain("WARNING: Failed to add demo data for the tenant lab;");
  expect(warnings[0]).toContain("Cause: A partner with this slug already exists.");
  expect(warnings[0]).not.toMatch(/duplicate key|constraint/);
  await pool.query("drop trigger fail_for_lab on tenantry.credit_entries");
  expect(await add()).toEqual([]);
  expect(await all(history)).toEqual([{ slug: "acme" }, { slug: "lab" }, { slug: "umbrella" }]);
});
