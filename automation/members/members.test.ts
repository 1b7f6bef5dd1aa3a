import { type ApiServer, account_id, startApiServer } from "@tenantry/edge/testing/api";
import type { AccessRule } from "cloudflare/resources/zero-trust/access/applications/policies.js";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { queueExpiryMails } from "#database/people/service-tokens.ts";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import { serviceTokenName } from "#domain/access/service-token.ts";
import { type DispatchStandIn, startDispatchStandIn } from "../testing/dispatch-stand-in.ts";
import { startTestService } from "../testing/test-service.ts";

type Service = Awaited<ReturnType<typeof startTestService>>;

let database: TestDatabase;
let api: ApiServer;
let dispatch: DispatchStandIn;
let service: Service;
let roots: string;
/** `METHOD` of calls that write a group. */
let writes: string[] = [];
beforeAll(async () => {
  database = await startTestDatabase({ environments: ["production", "staging"] });
  api = await startApiServer(async (request) => {
    if (request.method !== "GET") writes.push(request.method);
    return undefined;
  });
  dispatch = await startDispatchStandIn();
  service = await startTestService(database, settings());
  roots =
    (
      await api.cloudflare.zeroTrust.access.groups.create({
        account_id,
        name: "Roots",
        include: [rule("root@x.example")],
      })
    ).id ?? "";
});
afterAll(async () => {
  await service.stop();
  await dispatch.stop();
  await api.close();
  await database.stop();
});
beforeEach(() => {
  writes = [];
  dispatch.heard.length = 0;
});

const settings = () => ({
  CLOUDFLARE_API_URL: api.url,
  CLOUDFLARE_API_TOKEN: api.apiToken,
  CLOUDFLARE_ACCOUNT_ID: account_id,
  DISPATCH_URL: dispatch.url,
});
const rule = (email: string): AccessRule => ({ email: { email } });

async function tenant(slug: string, include: AccessRule[] = []) {
  const clientId = await insertClient(database.db, { slug });
  const instanceId = await insertInstance(database.db, clientId);
  const { groups } = api.cloudflare.zeroTrust.access;
  const name = `Members of ${slug}.agents.example.com`;
  const { id = "" } = await groups.create({ account_id, name, include: [{ group: { id: roots } }, ...include] });
  writes = [];
  const members = async () => (await groups.get(id, { account_id })).include;
  const user = (email: string, status = "validated") =>
    insertClientUser(database.db, { client_id: clientId, email, status }, [instanceId]);
  /** Waits until the queue has no work for the tenant. */
  const settled = async () => {
    const pending = () =>
      database.pool.query(
        "select from graphile_worker._private_jobs where payload ->> 'instance_id' = $1 and (is_available or locked_at is not null)",
        [instanceId],
      );
    while (((await pending()).rowCount ?? 0) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  return { clientId, instanceId, groupId: id, members, user, settled };
}

/** Runs a sweep of all tenants without delays. */
async function sweep(): Promise<void> {
  const before = service.lines.all.filter(({ event }) => event === "members_sweep").length;
  await database.pool.query("select graphile_worker.add_job('reconcile_all')");
  await service.lines.find(() => service.lines.all.filter(({ event }) => event === "members_sweep").length > before);
  await database.pool.query("update graphile_worker._private_jobs set run_at = now() where locked_at is null");
  await database.pool.query(`notify "jobs:insert"`);
}

const invalidations = () =>
  dispatch.heard.map(({ request }) => request).filter((request) => request.startsWith("GET /_invalidate/"));

const eventsOf = async (clientId: string) =>
  await database.db.selectFrom("tenantry.events").select(["kind", "data"]).where("client_id", "=", clientId).execute();

test("adds accepted users to the group, removes deleted ones, and drops the tenant's caches", async () => {
  const acme = await tenant("acme");
  const ada = await acme.user("ada@acme.example");
  await acme.user("invited@acme.example", "invited");
  await acme.settled();
  expect(await acme.members()).toEqual([{ group: { id: roots } }, rule("ada@acme.example")]);
  expect(dispatch.heard).toContainEqual({
    request: "GET /_invalidate/acme",
    authorization: "Bearer invalidate-token-of-a-test",
    body: "",
  });
  expect(await eventsOf(acme.clientId)).toContainEqual({
    kind: "members.changed",
    data: { instance_id: acme.instanceId, added: 1, removed: 0 },
  });
  await database.db.deleteFrom("tenantry.client_user_instances").where("client_user_id", "=", ada).execute();
  await acme.settled();
  expect(await acme.members()).toEqual([{ group: { id: roots } }]);
  expect(service.lines.text).not.toContain("ada@");
});

test("drops the tenant's caches without writing the group when a role changes", async () => {
  const hooli = await tenant("hooli");
  const gavin = await hooli.user("gavin@hooli.example");
  await hooli.settled();
  writes = [];
  dispatch.heard.length = 0;
  await database.db.updateTable("tenantry.client_users").set({ role: "BASE_USER" }).where("id", "=", gavin).execute();
  await hooli.settled();
  expect(writes).toEqual([]);
  expect(invalidations()).toEqual(["GET /_invalidate/hooli"]);
});

test("repairs and reports drift, and keeps other rules and unchanged groups", async () => {
  const drifted = await tenant("umbrella", [rule("Alice@Umbrella.example"), rule("intruder@evil.example")]);
  const right = await tenant("lab", [rule("lena@lab.example")]);
  await drifted.user("alice@umbrella.example");
  await right.user("lena@lab.example");
  await drifted.settled();
  await right.settled();
  // As by hand.
  const { groups } = api.cloudflare.zeroTrust.access;
  const name = "Members of umbrella.agents.example.com";
  const include = [rule("intruder@evil.example"), { everyone: {} }, { group: { id: roots } }];
  await groups.update(drifted.groupId, { account_id, name, include });
  writes = [];
  dispatch.heard.length = 0;
  await sweep();
  await drifted.settled();
  await right.settled();
  expect(await drifted.members()).toEqual([{ everyone: {} }, { group: { id: roots } }, rule("alice@umbrella.example")]);
  expect(writes).toEqual(["PUT"]);
  expect(invalidations()).toEqual(["GET /_invalidate/umbrella"]);
  expect(await eventsOf(drifted.clientId)).toContainEqual({
    kind: "members.repaired",
    data: { instance_id: drifted.instanceId, added: 1, removed: 1 },
  });
  await service.lines.find(({ event, slug }) => event === "members_repaired" && slug === "umbrella");
  expect(service.lines.text).not.toContain("intruder");
});

/** A service token at Access as the dashboard creates it, and its row. @returns its id at Access */
async function serviceToken(client_id: string, client_user_id: string, host: string): Promise<string> {
  const id = crypto.randomUUID();
  const name = serviceTokenName(id, host);
  const made = await api.cloudflare.zeroTrust.access.serviceTokens.create({ account_id, name, duration: "24h" });
  const access = { access_token_id: made.id ?? "", access_client_id: made.client_id ?? "" };
  const row = { id, environment: "production", client_id, client_user_id, name: id, role: "ADMIN", created_by: "x" };
  const expires_at = new Date(Date.now() + 86_400_000);
  await database.db
    .insertInto("tenantry.service_tokens")
    .values({ ...row, ...access, expires_at })
    .execute();
  return access.access_token_id;
}
const tokensAtAccess = () => api.store.list("access_service_token").map(({ id }) => id);

test("admits valid service tokens by the group, and deletes them at Access once they have ended", async () => {
  const vought = await tenant("vought");
  const user = await vought.user("stan@vought.example");
  const host = "vought.agents.example.com";
  const ids = [];
  for (let n = 0; n < 3; n += 1) ids.push(await serviceToken(vought.clientId, user, host));
  const [kept = "", revoked = "", expired = ""] = ids;
  await vought.settled();
  const rules = (tokens: string[]) => tokens.toSorted().map((token_id) => ({ service_token: { token_id } }));
  const base = [{ group: { id: roots } }, rule("stan@vought.example")];
  const sorted = async () =>
    (await vought.members())?.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  expect(await sorted()).toEqual([...base.toReversed(), ...rules(ids)]);
  const { pool } = database;
  await pool.query("update tenantry.service_tokens set expires_at = now() where access_token_id = $1", [expired]);
  await pool.query("delete from tenantry.service_tokens where access_token_id = $1", [revoked]);
  await expect.poll(tokensAtAccess).toEqual([kept]);
  expect(await sorted()).toEqual([...base.toReversed(), ...rules([kept])]);
  // The user's deletion ends the rest.
  await pool.query("delete from tenantry.client_users where id = $1", [user]);
  await expect.poll(tokensAtAccess).toEqual([]);
  expect(await vought.members()).toEqual([{ group: { id: roots } }]);
});

test("the sweep removes tokens of interrupted requests, and rows without a token, and nothing of others", async () => {
  const stark = await tenant("stark");
  const user = await stark.user("pepper@stark.example");
  const host = "stark.agents.example.com";
  const row = await serviceToken(stark.clientId, user, host);
  await stark.settled();
  const aged = async (name: string, minutes: number) => {
    const { id = "" } = await api.cloudflare.zeroTrust.access.serviceTokens.create({
      account_id,
      name,
      duration: "1h",
    });
    const record = api.store.get("access_service_token", id);
    if (record === undefined) throw new Error("no token");
    const expires_at = new Date(Date.now() + (60 - minutes) * 60_000).toISOString();
    api.store.put("access_service_token", { ...record, expires_at });
    return id;
  };
  const named = (at: string) => serviceTokenName(crypto.randomUUID(), at);
  const interrupted = await aged(named(host), 20);
  const others = [
    row,
    // A request that is not over yet.
    await aged(named(host), 5),
    await aged(named("stark-dev.agents.example.com"), 50),
    await aged(named("stark.agents.other.example"), 50),
    await aged("CI", 50),
  ];
  await database.pool.query(
    `insert into tenantry.service_tokens
       (environment, client_id, client_user_id, name, role, created_by, created_at, expires_at, access_token_id, access_client_id)
     values ('production', $1, $2, 'restored', 'ADMIN', 'x', now() - interval '1 hour', now() + interval '1 hour', $3, 'r')`,
    [stark.clientId, user, crypto.randomUUID()],
  );
  expect(tokensAtAccess()).toContain(interrupted);
  await sweep();
  await expect.poll(() => tokensAtAccess().toSorted()).toEqual(others.toSorted());
  await stark.settled();
  const rows = () => database.db.selectFrom("tenantry.service_tokens").select("access_token_id").execute();
  await expect.poll(rows).toEqual([{ access_token_id: row }]);
  expect(await stark.members()).toContainEqual({ service_token: { token_id: row } });
});

test("the sweep announces each token that expires within a week once, if it was valid for longer", async () => {
  const oscorp = await tenant("oscorp");
  const user = await oscorp.user("norman@oscorp.example");
  const token = await serviceToken(oscorp.clientId, user, "oscorp.agents.example.com");
  await serviceToken(oscorp.clientId, user, "oscorp.agents.example.com");
  await database.pool.query(
    `update tenantry.service_tokens set created_at = now() - interval '83 days', expires_at = now() + interval '6 days 23 hours'
     where access_token_id = $1`,
    [token],
  );
  const mails = async () =>
    (
      await database.pool.query(
        "select id, data from tenantry.mails where recipient = 'norman@oscorp.example' and kind <> 'notification'",
      )
    ).rows;
  await sweep();
  await expect.poll(async () => (await mails()).length).toBe(1);
  await queueExpiryMails(database.db, 7);
  const [mail, ...others] = await mails();
  expect([mail.data.what, others]).toEqual(["expires", []]);
  await oscorp.settled();
});

test("retries with a message without addresses when the dispatch Worker refuses", async () => {
  const initech = await tenant("initech");
  dispatch.next.push({ on: "GET /_invalidate/initech", status: 503 });
  await initech.user("peter@initech.example");
  const failed = await service.lines.find(({ event, task }) => event === "task_failed" && task === "reconcile_members");
  expect(failed.cause).toBe(
    "The dispatch Worker returned HTTP 503 for /_invalidate/initech. Check its token and its log.",
  );
  await database.pool.query("update graphile_worker._private_jobs set run_at = now() where locked_at is null");
  await database.pool.query(`notify "jobs:insert"`);
  await initech.settled();
  expect(await initech.members()).toContainEqual(rule("peter@initech.example"));
  expect(invalidations()).toEqual(["GET /_invalidate/initech", "GET /_invalidate/initech"]);
});

test("waits for the group during provisioning, and fails without it afterwards", async () => {
  const clientId = await insertClient(database.db, { slug: "pied-piper" });
  const instanceId = await insertInstance(database.db, clientId, { status: "provisioning" });
  await insertClientUser(database.db, { client_id: clientId, email: "r@pp.example", status: "validated" }, [
    instanceId,
  ]);
  await service.lines.find(({ event, slug }) => event === "members_wait_for_group" && slug === "pied-piper");
  await database.db.updateTable("tenantry.instances").set({ status: "running" }).where("id", "=", instanceId).execute();
  await sweep();
  const { cause } = await service.lines.find(({ cause }) => String(cause).includes("pied-piper"));
  expect(cause).toBe(
    "The Access group 'Members of pied-piper.agents.example.com' does not exist. Run `pulumi up` of the tenant's stack.",
  );
});

test("the sweep repeats exhausted work", async () => {
  const massive = await tenant("massive");
  await massive.user("m@massive.example");
  await massive.settled();
  const { groups } = api.cloudflare.zeroTrust.access;
  const name = "Members of massive.agents.example.com";
  await groups.update(massive.groupId, { account_id, name, include: [{ group: { id: roots } }] });
  const client = await database.pool.connect();
  await client.query("begin");
  await client.query(
    "select graphile_worker.add_job('reconcile_members', job_key => 'members:' || $1, payload => json_build_object('instance_id', $1::text))",
    [massive.instanceId],
  );
  await client.query("update graphile_worker._private_jobs set attempts = max_attempts where key = 'members:' || $1", [
    massive.instanceId,
  ]);
  await client.query("commit");
  client.release();
  await sweep();
  await massive.settled();
  expect(await massive.members()).toContainEqual(rule("m@massive.example"));
});

test("only drops the caches in staging, which has no tenants' groups", async () => {
  const staging = await startTestService(database, {
    ...settings(),
    ENVIRONMENT: "staging",
    DATABASE_URL: database.urlOf("service", "staging"),
  });
  const clientId = await insertClient(database.db, { slug: "acme", environment: "staging" });
  const instanceId = await insertInstance(database.db, clientId);
  await insertClientUser(database.db, { client_id: clientId, email: "a@acme.example", status: "validated" }, [
    instanceId,
  ]);
  await dispatch.answered(1);
  expect(invalidations()).toEqual(["GET /_invalidate/acme"]);
  expect(writes).toEqual([]);
  await staging.stop();
});
