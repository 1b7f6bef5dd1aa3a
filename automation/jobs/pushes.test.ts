/** Pushes of what a tenant's Supervisor stores. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recordEgressPushed } from "#database/egress/pushes.ts";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import { sealedEgressOrder } from "#workers/contracts/tenant/egress.ts";
import { type DispatchStandIn, startDispatchStandIn } from "../testing/dispatch-stand-in.ts";
import { startTestService } from "../testing/test-service.ts";

let database: TestDatabase;
let dispatch: DispatchStandIn;
let service: Awaited<ReturnType<typeof startTestService>>;
let client: string;
let instance: string;
beforeAll(async () => {
  database = await startTestDatabase();
  dispatch = await startDispatchStandIn();
  service = await startTestService(database, { DISPATCH_URL: dispatch.url });
  client = await insertClient(database.db, { slug: "acme" });
  instance = await insertInstance(database.db, client);
});
afterAll(async () => {
  await service.stop();
  await dispatch.stop();
  await database.stop();
});

async function ask(kind: string): Promise<string> {
  const values = {
    kind,
    slug: "acme",
    client_id: client,
    instance_id: instance,
    requested_by: "root@tenantry.example",
  };
  return (await database.db.insertInto("tenantry.jobs").values(values).returning("id").executeTakeFirstOrThrow()).id;
}

const statusOf = async (id: string) =>
  (await database.db.selectFrom("tenantry.jobs").select("status").where("id", "=", id).executeTakeFirstOrThrow())
    .status;

/** Sets the status as a redeployment does. @returns the id of the push that a trigger requested */
async function redeployed(kind: string): Promise<string> {
  const { db } = database;
  for (const status of ["error", "running"])
    await db.updateTable("tenantry.instances").set({ status }).where("id", "=", instance).execute();
  return (await db.selectFrom("tenantry.jobs").select("id").where("kind", "=", kind).executeTakeFirstOrThrow()).id;
}

const about = (event: string, id: string) => (line: { event: string; job?: unknown }) =>
  line.event === event && line.job === id;

describe("channels", () => {
  const credentials = Buffer.alloc(64, 1);
  let channel: string;
  beforeAll(async () => {
    const { db } = database;
    const { id: door_id } = await db
      .insertInto("tenantry.doors")
      .values({
        ...{ instance_id: instance, kind: "telegram", name: "telegram", key_hash: Buffer.alloc(32), key_hint: "hint" },
        ...{ secrets: Buffer.alloc(64), secret_names: ["secretToken"], created_by: "x" },
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const account = { account_id: "700", account_name: "@acme", created_by: "x" };
    const values = { ...account, environment: "production", instance_id: instance, kind: "telegram", door_id };
    const row = db.insertInto("tenantry.channels").values({ ...values, credentials });
    channel = (await row.returning("id").executeTakeFirstOrThrow()).id;
  });
  const state = () =>
    database.db
      .selectFrom("tenantry.channels")
      .select(["pushed_at", "fault", "last_error"])
      .where("id", "=", channel)
      .executeTakeFirstOrThrow();

  test("are sent to a tenant that was deployed again, encrypted", async () => {
    await service.lines.find(about("job_succeeded", await redeployed("push_channels")));
    const { body } = dispatch.heard.findLast(({ request }) => request === "PUT /_channels/acme") ?? {};
    expect(JSON.parse(body ?? "")).toEqual({
      sealed: [{ id: channel, credentials: credentials.toString("base64") }],
    });
    expect(await state()).toMatchObject({ pushed_at: expect.any(Date), fault: null });
  });

  test("wait for a tenant without a Worker, and have a fault if the tenant refuses them", async () => {
    await database.db.updateTable("tenantry.channels").set({ pushed_at: null }).execute();
    dispatch.next.push({
      on: "PUT /_channels",
      status: 404,
      body: { error: { code: "tenant_not_found", message: "No Worker." } },
    });
    await service.lines.find(about("job_succeeded", await ask("push_channels")));
    expect(await state()).toEqual({ pushed_at: null, fault: null, last_error: null });
    dispatch.next.push({
      on: "PUT /_channels",
      status: 409,
      body: { error: { code: "conflict", message: "The token cannot be decrypted." } },
    });
    const refused = await ask("push_channels");
    await service.lines.find(about("job_failed", refused));
    await expect.poll(() => statusOf(refused)).toBe("failed");
    const last_error = expect.stringContaining("tenant its channels: The token cannot be decrypted.");
    expect(await state()).toEqual({ pushed_at: null, fault: "push_failed", last_error });
    await service.lines.find(about("job_succeeded", await ask("push_channels")));
    expect(await state()).toEqual({ pushed_at: expect.any(Date), fault: null, last_error: null });
  });
});

describe("provider keys", () => {
  const credentials = Buffer.alloc(64, 2);
  let key: string;
  beforeAll(async () => {
    const values = { instance_id: instance, provider: "openai", credentials, key_hint: "hint", created_by: "x" };
    const row = database.db.insertInto("tenantry.provider_keys").values(values);
    key = (await row.returning("id").executeTakeFirstOrThrow()).id;
  });
  const state = () =>
    database.db
      .selectFrom("tenantry.provider_keys")
      .select(["pushed_at", "fault", "last_error"])
      .where("id", "=", key)
      .executeTakeFirstOrThrow();

  test("are sent to a tenant that was deployed again, encrypted", async () => {
    await service.lines.find(about("job_succeeded", await redeployed("push_provider_keys")));
    const { body } = dispatch.heard.find(({ request }) => request === "PUT /_provider-keys/acme") ?? {};
    expect(JSON.parse(body ?? "")).toEqual({ sealed: [{ id: key, credentials: credentials.toString("base64") }] });
    expect(await state()).toMatchObject({ pushed_at: expect.any(Date), fault: null });
  });

  test("have a fault if the tenant refuses them, until it accepts them; what a provider reports stays", async () => {
    await database.db.updateTable("tenantry.provider_keys").set({ pushed_at: null }).execute();
    dispatch.next.push({
      on: "PUT /_provider-keys",
      status: 409,
      body: { error: { code: "conflict", message: "The key cannot be decrypted." } },
    });
    const refused = await ask("push_provider_keys");
    await service.lines.find(about("job_failed", refused));
    await expect.poll(() => statusOf(refused)).toBe("failed");
    const last_error = expect.stringContaining("tenant its provider keys: The key cannot be decrypted.");
    expect(await state()).toEqual({ pushed_at: null, fault: "push_failed", last_error });
    await service.lines.find(about("job_succeeded", await ask("push_provider_keys")));
    expect(await state()).toEqual({ pushed_at: expect.any(Date), fault: null, last_error: null });
    const reportedByProvider = { fault: "rejected", last_error: "No.", last_error_at: new Date() };
    await database.db.updateTable("tenantry.provider_keys").set(reportedByProvider).execute();
    await service.lines.find(about("job_succeeded", await ask("push_provider_keys")));
    expect(await state()).toMatchObject({ fault: "rejected", last_error: "No." });
  });
});

describe("the spending cap", () => {
  const cap = async (micros: number | null) => {
    const { db } = database;
    const values = { ai_spend_cap_micros: micros };
    await db.updateTable("tenantry.clients").set(values).where("id", "=", client).execute();
    const jobs = db.selectFrom("tenantry.jobs").select("id").where("kind", "=", "push_provider_keys");
    return (await jobs.orderBy("created_at", "desc").limit(1).executeTakeFirstOrThrow()).id;
  };
  const sent = () =>
    JSON.parse(dispatch.heard.findLast(({ request }) => request === "PUT /_spending-cap/acme")?.body ?? "");

  test("is sent with the spending that the ledger knows, also to a tenant that was deployed again", async () => {
    await database.pool.query(
      `insert into tenantry.usage_daily (client_id, day, metric, quantity, computed_at)
       select $1, (now() at time zone 'utc')::date - n, 'ai_spend', 7, now() from unnest(array[1, 30]) n`,
      [client],
    );
    await service.lines.find(about("job_succeeded", await cap(5_000_000)));
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const order = { cap: 5_000_000, days: [{ day: yesterday, micros: 7 }] };
    expect(sent()).toEqual(order);
    dispatch.heard.length = 0;
    await service.lines.find(about("job_succeeded", await redeployed("push_provider_keys")));
    await expect.poll(() => dispatch.heard.some(({ request }) => request.includes("spending-cap"))).toBe(true);
    expect(sent()).toEqual(order);
  });

  test("fails at a Worker without it, which the absence of one does not", async () => {
    const refuse = () =>
      dispatch.next.push({
        on: "PUT /_spending-cap",
        status: 409,
        body: { error: { code: "conflict", message: "Its Worker is too old." } },
      });
    refuse();
    await service.lines.find(about("job_failed", await cap(6_000_000)));
    refuse();
    await service.lines.find(about("job_succeeded", await cap(null)));
    expect(sent()).toMatchObject({ cap: null });
  });
});

describe("egress policies", () => {
  const policy = { mode: "allowlist", entries: [{ host: "api.github.com" }] };
  /** @returns the id of the job that a trigger requested */
  const set = async (egress: object | null) => {
    const values = { egress: egress && JSON.stringify(egress) };
    await database.db.updateTable("tenantry.instances").set(values).where("id", "=", instance).execute();
    const jobs = database.db.selectFrom("tenantry.jobs").select("id").where("kind", "=", "push_egress");
    return (await jobs.orderBy("created_at", "desc").executeTakeFirstOrThrow()).id;
  };
  const state = () =>
    database.db
      .selectFrom("tenantry.instances")
      .select(["egress_revision", "egress_pushed_at", "egress_fault", "egress_last_error", "version"])
      .where("id", "=", instance)
      .executeTakeFirstOrThrow();
  const ordered = () =>
    dispatch.heard
      .filter(({ request }) => request === "PUT /_egress/acme")
      .map(({ body }) => sealedEgressOrder.parse(JSON.parse(body)));

  test("are sent to their tenant with its secrets, encrypted, and a push is no change of the instance", async () => {
    const secret = { instance_id: instance, name: "x", host: "a.example", header: "authorization", created_by: "x" };
    const credentials = Buffer.alloc(100, 7);
    const row = database.db.insertInto("tenantry.egress_secrets").values({ ...secret, credentials });
    const { id } = await row.returning("id").executeTakeFirstOrThrow();
    const { version } = await state();
    const audited = () =>
      database.db.selectFrom("tenantry.audit_log").select("id").where("entity", "=", "instances").execute();
    const entries = (await audited()).length;
    await service.lines.find(about("job_succeeded", await set(policy)));
    const [order] = ordered();
    expect(order).toEqual({
      revision: expect.any(String),
      layers: [null, policy],
      sealed: [{ id, credentials: credentials.toString("base64") }],
    });
    expect(await state()).toEqual({
      ...{ egress_revision: order?.revision, egress_pushed_at: expect.any(Date), egress_fault: null },
      ...{ egress_last_error: null, version: version + 1 },
    });
    expect(await audited()).toHaveLength(entries + 1);
    await database.db.deleteFrom("tenantry.egress_secrets").execute();
    await service.lines.find(about("job_succeeded", await set(null)));
    expect(ordered().at(-1)).toMatchObject({ layers: [null, null], sealed: [] });
    expect(await state()).toMatchObject({ egress_revision: null });
  });

  test("have a fault if the tenant refuses them, until it accepts them, and none that was replaced counts as sent", async () => {
    const message = "The tenant's Worker is of an earlier version.";
    dispatch.next.push({ on: "PUT /_egress", status: 409, body: { error: { code: "conflict", message } } });
    const refused = await set(policy);
    await service.lines.find(about("job_failed", refused));
    await expect.poll(() => statusOf(refused)).toBe("failed");
    const egress_last_error = expect.stringContaining(`tenant its egress policy: ${message}`);
    expect(await state()).toMatchObject({ egress_revision: null, egress_fault: "push_failed", egress_last_error });
    expect(await recordEgressPushed(database.db, instance, crypto.randomUUID())).toBe(false);
    await service.lines.find(about("job_succeeded", await ask("push_egress")));
    expect(await state()).toMatchObject({ egress_revision: ordered().at(-1)?.revision, egress_fault: null });
  });

  test("of a partner are sent to all its tenants, also to a client that moves to it or is deployed again", async () => {
    const { db } = database;
    const asked = async () => {
      const found = await db.selectFrom("tenantry.jobs").select("slug").where("kind", "=", "push_egress").execute();
      return found.length;
    };
    const expectJob = async (change: { execute(): Promise<unknown> }, jobs: number) => {
      const before = await asked();
      await change.execute();
      expect((await asked()) - before).toBe(jobs);
    };
    const row = db.insertInto("tenantry.partners").values({ slug: "north", name: "north" });
    const { id } = await row.returning("id").executeTakeFirstOrThrow();
    const partner = (egress: object | null) =>
      db
        .updateTable("tenantry.partners")
        .set({ egress: egress && JSON.stringify(egress) })
        .where("id", "=", id);
    const moved = (partner_id: string | null) =>
      db.updateTable("tenantry.clients").set({ partner_id }).where("id", "=", client);
    const is = (status: string) => db.updateTable("tenantry.instances").set({ status }).where("id", "=", instance);
    await expectJob(partner(policy), 0);
    await expectJob(moved(id), 1);
    await expectJob(partner({ ...policy, mode: "audit" }), 1);
    await expectJob(partner({ ...policy, mode: "audit" }), 0);
    await expectJob(is("error"), 0);
    await expectJob(is("running"), 1);
    await expectJob(moved(null), 1);
  });
});
