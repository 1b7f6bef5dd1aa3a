import { type ApiServer, account_id, startApiServer } from "@tenantry/edge/testing/api";
import type { AccessRule } from "cloudflare/resources/zero-trust/access/applications/policies.js";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import type { Environment } from "#domain/environment.ts";
import { startTestService } from "../testing/test-service.ts";

type Service = Awaited<ReturnType<typeof startTestService>>;

let database: TestDatabase;
let api: ApiServer;
let service: Service;
let partner: string;
/** Groups of production: users that the stack declares, all root users, the dashboard's members. */
let named: string;
let roots: string;
let members: string;
/** `METHOD` of calls that write a group. */
let writes: string[] = [];
beforeAll(async () => {
  database = await startTestDatabase({ environments: ["production", "staging"] });
  api = await startApiServer(async (request) => {
    if (request.method !== "GET") writes.push(request.method);
    return undefined;
  });
  named = await group("Platform root users", [rule("first@x.example")]);
  roots = await group("Root users of dash.agents.example.com", [within(named)]);
  members = await group("Members of dash.agents.example.com", [within(roots)]);
  ({ id: partner } = await database.db
    .insertInto("tenantry.partners")
    .values({ slug: "globex", name: "Globex", environment: "production" })
    .returning("id")
    .executeTakeFirstOrThrow());
  service = await startTestService(database, settings());
});
afterAll(async () => {
  await service.stop();
  await api.close();
  await database.stop();
});
beforeEach(async () => {
  await settled();
  writes = [];
});

const settings = () => ({
  CLOUDFLARE_API_URL: api.url,
  CLOUDFLARE_API_TOKEN: api.apiToken,
  CLOUDFLARE_ACCOUNT_ID: account_id,
});
const rule = (email: string): AccessRule => ({ email: { email } });
const within = (id: string): AccessRule => ({ group: { id } });

async function group(name: string, include: AccessRule[]): Promise<string> {
  const { id = "" } = await api.cloudflare.zeroTrust.access.groups.create({ account_id, name, include });
  return id;
}
const rulesOf = async (id: string) => (await api.cloudflare.zeroTrust.access.groups.get(id, { account_id })).include;

const addRoot = (email: string) =>
  database.db.insertInto("tenantry.dashboard_users").values({ email, role: "ROOT" }).execute();
const addPartnerRoot = (email: string) =>
  database.db
    .insertInto("tenantry.dashboard_users")
    .values({ email, role: "PARTNER_ROOT", partner_id: partner })
    .execute();
const remove = (email: string) =>
  database.db.deleteFrom("tenantry.dashboard_users").where("email", "=", email).execute();

/** Waits until an environment's queue has no work for its dashboard's users. */
async function settled(schema = "graphile_worker"): Promise<void> {
  const pending = () =>
    database.pool.query(
      `select from ${schema}._private_jobs where key = 'dashboard_users' and (is_available or locked_at is not null)`,
    );
  while (((await pending()).rowCount ?? 0) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Returns and deletes the events since the last call. */
const takeEvents = async () =>
  (
    await database.pool.query(
      "with taken as (delete from tenantry.events returning *) select kind, data from taken order by id",
    )
  ).rows;

test("adds dashboard users to the group of their role, and removes deleted users", async () => {
  await addRoot("rita@x.example");
  await addPartnerRoot("peter@globex.example");
  await settled();
  expect(await rulesOf(roots)).toEqual([within(named), rule("rita@x.example")]);
  expect(await rulesOf(members)).toEqual([within(roots), rule("peter@globex.example")]);
  await takeEvents();

  await remove("peter@globex.example");
  await settled();
  expect(await rulesOf(members)).toEqual([within(roots)]);
  // This event makes listeners authenticate again.
  expect(await takeEvents()).toEqual([{ kind: "dashboard_users.changed", data: { added: 0, removed: 1 } }]);
  await remove("rita@x.example");
  await settled();
  expect(await rulesOf(roots)).toEqual([within(named)]);
  expect(await rulesOf(named)).toEqual([rule("first@x.example")]);
  expect(service.lines.text).not.toMatch(/rita@|peter@/);
});

test("moves a partner root who becomes a root user, and removes the roots of a deleted partner", async () => {
  await addPartnerRoot("both@globex.example");
  await addPartnerRoot("other@globex.example");
  await settled();
  await database.db
    .updateTable("tenantry.dashboard_users")
    .set({ role: "ROOT", partner_id: null })
    .where("email", "=", "both@globex.example")
    .execute();
  await settled();
  expect(await rulesOf(roots)).toEqual([within(named), rule("both@globex.example")]);
  expect(await rulesOf(members)).toEqual([within(roots), rule("other@globex.example")]);
  await database.db.deleteFrom("tenantry.partners").where("slug", "=", "globex").execute();
  await settled();
  expect(await rulesOf(members)).toEqual([within(roots)]);
  await remove("both@globex.example");
});

test("writes no group when a name changes", async () => {
  await addRoot("quiet@x.example");
  await settled();
  await takeEvents();
  writes = [];
  await database.db
    .updateTable("tenantry.dashboard_users")
    .set({ name: "Quiet" })
    .where("email", "=", "quiet@x.example")
    .execute();
  await settled();
  expect([writes, await takeEvents()]).toEqual([[], []]);
});

test("repairs and reports drift, and writes nothing without drift", async () => {
  await addRoot("kept@x.example");
  await settled();
  const { groups } = api.cloudflare.zeroTrust.access;
  const name = "Root users of dash.agents.example.com";
  await groups.update(roots, { account_id, name, include: [within(named), rule("intruder@evil.example")] });
  await takeEvents();
  writes = [];
  await sweep();
  expect(await rulesOf(roots)).toContainEqual(rule("kept@x.example"));
  expect(await rulesOf(roots)).not.toContainEqual(rule("intruder@evil.example"));
  expect(writes).toEqual(["PUT"]);
  expect(await takeEvents()).toEqual([
    { kind: "dashboard_users.repaired", data: expect.objectContaining({ removed: 1 }) },
  ]);
  await sweep();
  expect([writes, await takeEvents()]).toEqual([["PUT"], []]);
  expect(service.lines.text).not.toContain("intruder");
});

/** Runs a sweep and waits for its end. */
async function sweep(): Promise<void> {
  const swept = () => service.lines.all.filter(({ event }) => event === "members_sweep").length;
  const before = swept();
  await database.pool.query("select graphile_worker.add_job('reconcile_all')");
  await service.lines.find(() => swept() > before);
  await settled();
}

test("separates environments, and fails with a remedy when the groups are missing", async () => {
  const include = async (environment: Environment, email: string) =>
    database.db.insertInto("tenantry.dashboard_users").values({ email, role: "ROOT", environment }).execute();
  await include("staging", "only@staging.example");
  // That environment has no queue, like a platform of an earlier release.
  await include("development", "only@dev.example");
  const staging = await startTestService(database, {
    ...settings(),
    ENVIRONMENT: "staging",
    DATABASE_URL: database.urlOf("service", "staging"),
  });
  const { cause } = await staging.lines.find(
    ({ event, task }) => event === "task_failed" && task === "reconcile_dashboard_users",
  );
  expect(cause).toBe(
    "The Access group 'Root users of staging-dash.agents.example.com' does not exist. Run `pulumi up` of the platform's stack.",
  );
  const ofStaging = await group("Root users of staging-dash.agents.example.com", [within(named)]);
  await group("Members of staging-dash.agents.example.com", [within(ofStaging)]);
  await database.pool.query("update graphile_worker_staging._private_jobs set run_at = now() where locked_at is null");
  await database.pool.query(`notify "jobs:insert"`);
  await settled("graphile_worker_staging");
  expect(await rulesOf(ofStaging)).toEqual([within(named), rule("only@staging.example")]);
  expect(JSON.stringify(await rulesOf(roots))).not.toContain("staging.example");
  await staging.stop();
});
