/** No list scans a large table: each query of the platform, as its role, on ten thousand tenants. */
import type { Kysely } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CallerKind } from "./callers/roles.ts";
import { healthPeriods, latestHealth } from "./health/history.ts";
import { findIncident, listIncidents } from "./health/incidents.ts";
import { polledInstances } from "./health/polled-instances.ts";
import { countClients, findClient, listClients } from "./tenants/clients.ts";
import { findInstance } from "./tenants/instances.ts";
import { fillPlatform, idOf, stepsOf, stepsOfStatement } from "./testing/plans.ts";
import { startTestDatabase, type TestDatabase } from "./testing/test-database.ts";
import type { DB } from "./types.ts";
import { findJob, listJobEvents, listJobs, openJob } from "./work/job-list.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
  await fillPlatform(database);
});
afterAll(() => database?.stop());

const ENV = "production";
const NEWEST = { column: "created_at", direction: "desc" } as const;
const BY_SLUG = { column: "slug", direction: "asc" } as const;
const PAGE = 51;
const PLACE: [string, string] = ["2026-11-01 12:00:00+00", idOf("client", 5_000)];
const [CLIENT, INSTANCE, JOB] = [idOf("client", 106), idOf("instance", 106), idOf("job", 106)];
const [ROOT, PARTNER, SERVICE] = [["platform_root"], ["partner_root"], ["service"]] as const;
const ROOTS = [...ROOT, ...PARTNER] as const;

/** Each query with its name and caller. */
const queries: readonly (readonly [string, readonly CallerKind[], (db: Kysely<DB>) => Promise<unknown>])[] = [
  ["clients by slug", ROOTS, (db) => listClients(db, ENV, { order: BY_SLUG, limit: PAGE })],
  ["the newest clients", ROOTS, (db) => listClients(db, ENV, { order: NEWEST, limit: PAGE })],
  ["clients behind a place", ROOTS, (db) => listClients(db, ENV, { order: NEWEST, limit: PAGE, after: PLACE })],
  ["a client", ROOTS, (db) => findClient(db, ENV, CLIENT)],
  ["an instance", [...ROOTS, ...SERVICE], (db) => findInstance(db, ENV, { id: INSTANCE })],
  ["a client's instance", ROOTS, (db) => findInstance(db, ENV, { clientId: CLIENT })],
  ["the newest jobs", ROOTS, (db) => listJobs(db, ENV, { limit: PAGE })],
  ["jobs behind a place", ROOTS, (db) => listJobs(db, ENV, { limit: PAGE, after: PLACE })],
  ["a client's jobs", ROOTS, (db) => listJobs(db, ENV, { limit: PAGE, filter: { clientId: CLIENT } })],
  ["an instance's jobs", ROOTS, (db) => listJobs(db, ENV, { limit: PAGE, filter: { instanceId: INSTANCE } })],
  ["what an instance's open job is", ROOTS, (db) => openJob(db, ENV, INSTANCE)],
  ["a job", ROOTS, (db) => findJob(db, ENV, JOB)],
  ["a job's events", ROOTS, (db) => listJobEvents(db, JOB, 200)],
  ["the newest incidents", ROOTS, (db) => listIncidents(db, ENV, { limit: PAGE })],
  ["open incidents", ROOTS, (db) => listIncidents(db, ENV, { limit: PAGE, open: true })],
  ["an instance's incidents", ROOTS, (db) => listIncidents(db, ENV, { limit: PAGE, open: true, instanceId: INSTANCE })],
  ["an incident", ROOTS, (db) => findIncident(db, ENV, JOB)],
  ["an instance's last day", ROOTS, (db) => healthPeriods(db, INSTANCE)],
  ["who is polled", SERVICE, (db) => polledInstances(db, ENV, { limit: 100, after: INSTANCE })],
  ["the latest probe of an instance", ROOTS, (db) => latestHealth(db, INSTANCE)],
];

/** Queries that read every row by their nature, such as counts. */
const whole: typeof queries = [["how many clients there are", ROOTS, (db) => countClients(db, ENV)]];

/** Tables that stay small with any number of tenants. */
const SMALL = new Set(["partners", "ai_gateways", "dashboard_users"]);
const read = (steps: readonly string[]) =>
  steps.filter((step) => step.startsWith("Seq Scan ") && !SMALL.has(step.slice(9)));

const cases = queries.flatMap(([name, kinds, query]) => kinds.map((kind) => [name, kind, query] as const));

test.each(cases)("%s by the %s scans no large table", async (_, kind, query) => {
  const steps = await stepsOf(database, kind, query);
  expect(steps).not.toEqual([]);
  expect(read(steps)).toEqual([]);
});

test("detects a query that scans a large table", async () => {
  for (const [, kinds, query] of whole) expect(await stepsOf(database, kinds[0] ?? "service", query)).not.toEqual([]);
  const unindexed = (db: Kysely<DB>) => db.selectFrom("tenantry.jobs").select("id").where("attempts", "=", 7).execute();
  expect(read(await stepsOf(database, "service", unindexed))).toEqual(["Seq Scan jobs"]);
});

describe("the dispatch Worker's functions", () => {
  /** Returns a function's body with its arguments. */
  async function body(name: string, given: Readonly<Record<string, string>>): Promise<string> {
    const { rows } = await database.pool.query<{ body: string }>(
      "select prosrc as body from pg_proc where oid = $1::regproc",
      [name],
    );
    return (rows[0]?.body ?? "").replaceAll(/\bp_\w+/g, (argument) => given[argument] ?? argument);
  }

  test("finds a tenant by indexes, and except for credits and partner by index-only scans", async () => {
    const sql = await body("api.resolve_tenant", { p_slug: "'client-106'", p_email: "'user-105@example.test'" });
    const { rows } = await database.pool.query(sql);
    expect(JSON.stringify(rows)).toContain("ADMIN");
    const steps = await stepsOfStatement(database, sql);
    const tables = steps.map((step) => step.split(" ").at(-1) ?? "");
    const ofTenants = steps.filter((_, index) => tables[index] !== "partners");
    expect(ofTenants.filter((step) => !step.startsWith("Index Only Scan "))).toEqual(["Index Scan credit_pools"]);
    expect(new Set(tables)).toEqual(
      new Set([
        ...["clients", "instances", "credit_pools", "partners"],
        ...["client_users", "dashboard_users", "client_user_instances"],
      ]),
    );
  });

  test("a page of active tenants scans no large table", async () => {
    const after = { p_after: `'${idOf("instance", 5_000)}'::uuid`, p_limit: "100" };
    expect(read(await stepsOfStatement(database, await body("api.active_tenants", after)))).toEqual([]);
  });
});
