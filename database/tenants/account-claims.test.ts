/** Places of an account, as rows of tenants claim them. */
import type { Kysely } from "kysely";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { accountNeeds, DEFAULT_TENANT_SHAPE } from "#domain/plans/account-limits.ts";
import { type Capacity, containerNeeds, DEFAULT_CAPACITY } from "#domain/plans/capacity.ts";
import { PLAN_CONTAINERS } from "#domain/plans/plan.ts";
import { insertClient, insertInstance, insertPoolEntry, setAccountLimits } from "../testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { DB } from "../types.ts";
import { readOutgrown } from "../work/account-limits.ts";
import { storeCapacity } from "../work/capacity.ts";

let database: TestDatabase;
let db: Kysely<DB>;
beforeAll(async () => {
  database = await startTestDatabase();
  db = database.db;
});
afterAll(() => database?.stop());

const needs = accountNeeds(DEFAULT_TENANT_SHAPE);
const containers = containerNeeds(PLAN_CONTAINERS);
/** Needs of production's platform, which counts only with a root user. */
const { accessGroups } = needs.production.platform;

beforeEach(async () => {
  for (const table of ["instances", "clients", "account_limits", "account_capacity", "ai_gateways"] as const)
    await db.deleteFrom(`tenantry.${table}`).execute();
});

const dashboards = (plan = "pro") => insertClient(db, { managed_by: "dashboard", billing_plan: plan });
const FULL = { code: "TN030" };

test("grants the last place, and refuses the next tenant before it has a row, with the setting of the limit", async () => {
  await setAccountLimits(db, { accessGroups: accessGroups + 2 });
  await insertInstance(db, await dashboards());
  await insertClient(db, { slug: "of-git" });
  await expect(insertClient(db, { slug: "one-more" })).rejects.toMatchObject({
    ...FULL,
    message: `no_account_capacity: the limit limits.accessGroups is ${accessGroups + 2}, and ${accessGroups + 3} would be needed; plan again, or raise the limit under tenantry:platform in the platform's stack if the account's plan allows more`,
  });
  // A client of the dashboard needs nothing before it has an instance.
  const client = await dashboards();
  await expect(insertInstance(db, client)).rejects.toMatchObject({
    ...FULL,
    message: expect.stringContaining("; remove tenants, or raise the limit"),
  });
  // The instance of Git's client uses its client's place.
  const { id } = await db
    .selectFrom("tenantry.clients")
    .select("id")
    .where("slug", "=", "of-git")
    .executeTakeFirstOrThrow();
  await insertInstance(db, id);
  await db.deleteFrom("tenantry.instances").where("client_id", "<>", id).execute();
  await insertInstance(db, client);
});

test("changes existing rows even if the account is full", async () => {
  await setAccountLimits(db, {});
  const instance = await insertInstance(db, await dashboards("free"));
  await setAccountLimits(db, { accessGroups: 0, accessApplications: 0 });
  await db.updateTable("tenantry.instances").set({ status: "error" }).where("id", "=", instance).execute();
  await db.updateTable("tenantry.clients").set({ billing_plan: "enterprise", name: "Other" }).execute();
});

test("refuses nothing without a platform's limits", async () => {
  for (let count = 0; count < 3; count += 1) await insertInstance(db, await dashboards());
});

test("counts tenants of all environments by their needs, and AI gateways with the pool's", async () => {
  await setAccountLimits(db, { apiTokens: 2 * needs.production.platform.apiTokens + 2, aiGateways: 2 });
  await insertClient(db, { environment: "staging" });
  await insertPoolEntry(db, { gateway_id: "pool", max_instances: 9 });
  const one = await insertClient(db, { slug: "one" });
  await insertInstance(db, one, { ai_gateway_id: "tenantry-one" });
  await expect(insertClient(db)).rejects.toMatchObject({ ...FULL, message: expect.stringContaining("apiTokens") });
  await setAccountLimits(db, { aiGateways: 2 });
  const two = await insertClient(db, { slug: "two" });
  await expect(insertInstance(db, two, { ai_gateway_id: "tenantry-two" })).rejects.toMatchObject({
    ...FULL,
    message: expect.stringContaining("limits.aiGateways is 2, and 3 would be needed"),
  });
  await insertInstance(db, two, { ai_gateway_id: "somebody-elses" });
});

describe("resources of others in the account", () => {
  const none = Object.fromEntries(Object.keys(DEFAULT_CAPACITY).map((kind) => [kind, 0])) as unknown as Capacity;
  /** Stores counts with so many resources of others. */
  const count = (used: Partial<Capacity>, most: Partial<Capacity> = {}) =>
    storeCapacity(db, { ...none, ...used }, { ...DEFAULT_CAPACITY, ...most });
  const { containerMemoryMiB: memory } = containers.pro;

  beforeEach(() => setAccountLimits(db, {}));

  test("count together with rows that were not deployed at the count, so that the last place is granted once", async () => {
    await insertInstance(db, await dashboards(), { access_aud: "aud" });
    // One is deployed, and others have ten.
    await count({ accessGroups: accessGroups + 1 + 10 }, { accessGroups: accessGroups + 1 + 10 + 1 });
    await insertInstance(db, await dashboards());
    await db.updateTable("tenantry.account_limits").set({ elsewhere: "Elsewhere: us" }).execute();
    await expect(insertInstance(db, await dashboards())).rejects.toMatchObject({
      ...FULL,
      message: expect.stringMatching(
        new RegExp(
          `limit of accessGroups is ${accessGroups + 12}, and ${accessGroups + 13} would be needed.*ACCOUNT_LIMITS.*Elsewhere: us$`,
        ),
      ),
    });
    // Git's limits already exclude what others use.
    await insertClient(db);
    // An old count is ignored.
    await db
      .updateTable("tenantry.account_capacity")
      .set({ counted_at: new Date(Date.now() - 2 * 3_600_000) })
      .execute();
    await insertInstance(db, await dashboards());
  });

  test("leave no room for larger containers: a new tenant and a larger plan are refused, a smaller plan is not", async () => {
    const client = await dashboards("pro");
    await insertInstance(db, client, { access_aud: "aud" });
    await count({ containerMemoryMiB: memory }, { containerMemoryMiB: memory });
    await expect(insertInstance(db, await dashboards("free"))).rejects.toMatchObject({
      ...FULL,
      message: expect.stringContaining("containerMemoryMiB"),
    });
    const change = (plan: string) =>
      db.updateTable("tenantry.clients").set({ billing_plan: plan }).where("id", "=", client).execute();
    await expect(change("enterprise")).rejects.toMatchObject(FULL);
    await change("basic");
    await change("pro");
    // A client without an instance needs nothing.
    const other = await dashboards("free");
    await db.updateTable("tenantry.clients").set({ billing_plan: "pro" }).where("id", "=", other).execute();
  });

  test("are outgrown when settings increase the needs of existing tenants", async () => {
    await insertInstance(db, await dashboards("pro"), { access_aud: "aud" });
    await count({ containerMemoryMiB: memory }, { containerMemoryMiB: memory });
    expect(await readOutgrown(db)).toEqual([]);
    const larger = { ...containers, pro: containers.enterprise };
    await db
      .updateTable("tenantry.account_limits")
      .set({ containers: JSON.stringify(larger) })
      .execute();
    expect(await readOutgrown(db)).toEqual([
      { kind: "containerMemoryMiB", needed: containers.enterprise.containerMemoryMiB, most: memory },
    ]);
    // Existing tenants do not stop anything.
    await count({ containerMemoryMiB: containers.enterprise.containerMemoryMiB }, { containerMemoryMiB: memory });
    expect(await readOutgrown(db)).toEqual([]);
  });
});

describe("two claims of the last place at once", () => {
  let first: pg.Client;
  let second: pg.Client;
  beforeEach(async () => {
    await setAccountLimits(db, { accessGroups: accessGroups + 1 });
    // A claim in another environment, which waits too.
    await setAccountLimits(db, {}, { environment: "development" });
    [first, second] = [new pg.Client(database.url), new pg.Client(database.url)];
    await Promise.all([first.connect(), second.connect()]);
  });
  afterEach(() => Promise.all([first.end(), second.end()]));

  const claim = (connection: pg.Client, slug: string) =>
    connection.query("insert into tenantry.clients (slug, name, billing_plan) values ($1, '', 'free')", [slug]);

  /** Resolves when the connection waits for another one's lock. */
  async function waits(connection: pg.Client): Promise<void> {
    const { processID } = z.object({ processID: z.number() }).parse(connection);
    await vi.waitFor(
      async () => {
        const { rows } = await database.pool.query("select from pg_locks where pid = $1 and not granted", [processID]);
        expect(rows).toHaveLength(1);
      },
      { timeout: 20_000, interval: 10 },
    );
  }

  test.each([
    ["commit", "read committed", "TN030"],
    ["rollback", "read committed", "had"],
    ["commit", "repeatable read", "40001"],
  ])("after the other's %s the waiting claim, %s, ends with %s", async (end, isolation, outcome) => {
    await second.query(`begin isolation level ${isolation}`);
    await second.query("select count(*) from tenantry.clients");
    await first.query("begin");
    await claim(first, "first");
    const waiting = claim(second, "second").then(
      () => "had",
      (error: pg.DatabaseError) => error.code,
    );
    await waits(second);
    await first.query(end);
    expect(await waiting).toBe(outcome);
  });
});
