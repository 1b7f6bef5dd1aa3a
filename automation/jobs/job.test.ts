import type { Transaction } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recordEgressPushed } from "#database/egress/pushes.ts";
import { type Freezable, freezeInstance, resumeInstance } from "#database/tenants/freezing.ts";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import type { DB } from "#database/types.ts";
import { sealedEgressOrder } from "#workers/contracts/tenant/egress.ts";
import { type DispatchStandIn, startDispatchStandIn } from "../testing/dispatch-stand-in.ts";
import { startTestService } from "../testing/test-service.ts";

type Service = Awaited<ReturnType<typeof startTestService>>;

let database: TestDatabase;
let dispatch: DispatchStandIn;
let service: Service;
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

async function ask(kind: string, slug = "acme", payload: object = {}): Promise<string> {
  const by = { requested_by: "root@tenantry.example", payload: JSON.stringify(payload) };
  const values = { kind, slug, client_id: client, instance_id: instance, ...by };
  return (await database.db.insertInto("tenantry.jobs").values(values).returning("id").executeTakeFirstOrThrow()).id;
}

async function reported(id: string) {
  const { db } = database;
  const job = await db.selectFrom("tenantry.jobs").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const events = await db
    .selectFrom("tenantry.job_events")
    .select("kind")
    .where("job_id", "=", id)
    .orderBy("id")
    .execute();
  const updates = await db
    .selectFrom("tenantry.events")
    .select(["kind", "data"])
    .where("kind", "like", "job.%")
    .orderBy("id")
    .execute();
  return {
    job,
    events: events.map(({ kind }) => kind),
    updates: updates.filter(({ data }) => (data as { job_id?: string }).job_id === id).map(({ kind }) => kind),
  };
}

const about = (event: string, id: string) => (line: { event: string; job?: unknown }) =>
  line.event === event && line.job === id;

test("carries out a job from its request to its end", async () => {
  const id = await ask("invalidate");
  await service.lines.find(about("job_succeeded", id));
  expect(dispatch.heard.map(({ request }) => request)).toContain("GET /_invalidate/acme");
  const { job, events, updates } = await reported(id);
  expect(job).toMatchObject({ status: "succeeded", attempts: 1, cause: null });
  expect(events).toEqual(["queued", "started", "succeeded"]);
  expect(updates).toEqual(["job.started", "job.succeeded"]);
});

test("drops the cache entries of a changed door only, also after a failure", async () => {
  const [first, second] = ["ab".repeat(32), "cd".repeat(32)];
  const before = dispatch.heard.length;
  dispatch.next.push({ on: "GET /_invalidate-door/", status: 503 });
  const id = await ask("invalidate", "acme", { doors: [first, second] });
  await service.lines.find(about("job_succeeded", id));
  expect(dispatch.heard.slice(before).map(({ request }) => request)).toEqual([
    `GET /_invalidate-door/${first}`,
    `GET /_invalidate-door/${first}`,
    `GET /_invalidate-door/${second}`,
  ]);
});

test("retries a failed job, and fails a job that cannot succeed with a remedy", async () => {
  dispatch.next.push({ on: "GET /_invalidate/acme", status: 503 });
  const id = await ask("invalidate");
  await service.lines.find(about("job_failed", id));
  await service.lines.find(about("job_succeeded", id));
  expect((await reported(id)).events).toEqual(["queued", "started", "retried", "started", "succeeded"]);
  const wrong = await ask("invalidate", "No Slug");
  await service.lines.find(about("job_failed", wrong));
  while ((await reported(wrong)).job.ended_at === null) await new Promise((resolve) => setTimeout(resolve, 20));
  const { job, events, updates } = await reported(wrong);
  expect(job).toMatchObject({
    status: "failed",
    cause: "The job has no valid slug. Request it again with a tenant's slug.",
  });
  expect(events).toEqual(["queued", "started", "failed"]);
  expect(updates).toEqual(["job.started", "job.failed"]);
});

test("requests a final backup until it succeeds, and succeeds without one when the tenant was never deployed", async () => {
  const before = dispatch.heard.length;
  dispatch.next.push({ on: "POST /_backup/acme", status: 503 });
  const made = await ask("final_backup");
  await service.lines.find(about("job_succeeded", made));
  expect((await reported(made)).events).toEqual(["queued", "started", "retried", "started", "succeeded"]);
  dispatch.next.push({ on: "POST /_backup/acme", status: 404 });
  await service.lines.find(about("job_succeeded", await ask("final_backup")));
  const orders = dispatch.heard.slice(before).filter(({ request }) => request.startsWith("POST"));
  expect(orders.map(({ request }) => request)).toEqual(Array(3).fill("POST /_backup/acme"));
});

test("a job that runs the engine waits, with one event, when PLATFORM_STACK is not set", async () => {
  const id = await ask("provision");
  await service.lines.find(about("job_waits", id));
  const { job, events } = await reported(id);
  expect(job).toMatchObject({ status: "queued", attempts: 0 });
  expect(events).toEqual(["queued", "waiting"]);
});

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
    for (const status of ["error", "running"]) {
      await database.db.updateTable("tenantry.instances").set({ status }).where("id", "=", instance).execute();
    }
    const { id } = await database.db
      .selectFrom("tenantry.jobs")
      .select("id")
      .where("kind", "=", "push_channels")
      .executeTakeFirstOrThrow();
    await service.lines.find(about("job_succeeded", id));
    const { body } = dispatch.heard.findLast(({ request }) => request === "PUT /_channels/acme") ?? {};
    expect(JSON.parse(body ?? "")).toEqual({
      sealed: [{ id: channel, credentials: credentials.toString("base64") }],
    });
    expect(await state()).toMatchObject({ pushed_at: expect.any(Date), fault: null });
  });

  test("wait for a tenant without a Worker, and have a fault if the tenant refuses them", async () => {
    await database.db.updateTable("tenantry.channels").set({ pushed_at: null }).execute();
    dispatch.next.push({
      on: "PUT /_",
      status: 404,
      body: { error: { code: "tenant_not_found", message: "No Worker." } },
    });
    await service.lines.find(about("job_succeeded", await ask("push_channels")));
    expect(await state()).toEqual({ pushed_at: null, fault: null, last_error: null });
    dispatch.next.push({
      on: "PUT /_",
      status: 409,
      body: { error: { code: "conflict", message: "The token cannot be decrypted." } },
    });
    const refused = await ask("push_channels");
    await service.lines.find(about("job_failed", refused));
    await expect.poll(async () => (await reported(refused)).job.status).toBe("failed");
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
    for (const status of ["error", "running"]) {
      await database.db.updateTable("tenantry.instances").set({ status }).where("id", "=", instance).execute();
    }
    const { id } = await database.db
      .selectFrom("tenantry.jobs")
      .select("id")
      .where("kind", "=", "push_provider_keys")
      .executeTakeFirstOrThrow();
    await service.lines.find(about("job_succeeded", id));
    const { body } = dispatch.heard.find(({ request }) => request === "PUT /_provider-keys/acme") ?? {};
    expect(JSON.parse(body ?? "")).toEqual({ sealed: [{ id: key, credentials: credentials.toString("base64") }] });
    expect(await state()).toMatchObject({ pushed_at: expect.any(Date), fault: null });
  });

  test("have a fault if the tenant refuses them, until it accepts them; what a provider reports stays", async () => {
    await database.db.updateTable("tenantry.provider_keys").set({ pushed_at: null }).execute();
    dispatch.next.push({
      on: "PUT /_",
      status: 409,
      body: { error: { code: "conflict", message: "The key cannot be decrypted." } },
    });
    const refused = await ask("push_provider_keys");
    await service.lines.find(about("job_failed", refused));
    await expect.poll(async () => (await reported(refused)).job.status).toBe("failed");
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

describe("egress policies", () => {
  const policy = { mode: "allowlist", entries: [{ host: "api.github.com" }] };
  const set = async (egress: object | null) => {
    const values = { egress: egress && JSON.stringify(egress) };
    await database.db.updateTable("tenantry.instances").set(values).where("id", "=", instance).execute();
    const found = await database.db
      .selectFrom("tenantry.jobs")
      .select("id")
      .where("kind", "=", "push_egress")
      .orderBy("created_at", "desc")
      .executeTakeFirstOrThrow();
    return found.id;
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
    await expect.poll(async () => (await reported(refused)).job.status).toBe("failed");
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
      db.updateTable("tenantry.partners").set({ egress: egress && JSON.stringify(egress) }).where("id", "=", id);
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

describe("a freeze", () => {
  let acme: Freezable;
  beforeAll(async () => {
    acme = { clientId: client, slug: "acme", environment: "production" };
  });
  const { why, requestedBy } = { why: "unpaid", requestedBy: "root@tenantry.example" };
  const transaction = <T>(work: (tx: Transaction<DB>) => Promise<T>) => database.db.transaction().execute(work);
  const freeze = (tx: Transaction<DB>) => freezeInstance(tx, acme, { cause: "asked", why, requestedBy });
  const resume = (tx: Transaction<DB>) => resumeInstance(tx, acme, requestedBy);
  const latest = async (kind: string) =>
    (
      await database.db
        .selectFrom("tenantry.jobs")
        .select("id")
        .where("kind", "=", kind)
        .orderBy("created_at", "desc")
        .limit(1)
        .executeTakeFirstOrThrow()
    ).id;

  test("invalidates the tenant, as does a resume", async () => {
    for (const [kind, begin] of [
      ["freeze", freeze],
      ["resume", resume],
    ] as const) {
      const before = dispatch.forgotten().length;
      await transaction(begin);
      const id = await latest(kind);
      await service.lines.find(about("job_succeeded", id));
      expect([kind, dispatch.forgotten().slice(before)]).toEqual([kind, ["acme"]]);
      expect((await reported(id)).events).toEqual(["queued", "started", "succeeded"]);
    }
  });

  test("is retried when connections stay open", async () => {
    dispatch.cuts.push("failed");
    await transaction(freeze);
    const id = await latest("freeze");
    await service.lines.find(about("job_succeeded", id));
    expect((await reported(id)).events).toEqual(["queued", "started", "retried", "started", "succeeded"]);
    await transaction(resume);
    await service.lines.find(about("job_succeeded", await latest("resume")));
  });

  test("is cancelled when a resume has overtaken it", async () => {
    // The first attempt fails, and the tenant is resumed before the next.
    dispatch.next.push({ on: "GET /_invalidate/", status: 503 });
    await transaction(freeze);
    const late = await latest("freeze");
    await service.lines.find(about("job_failed", late));
    const before = dispatch.forgotten().length;
    await transaction(resume);
    await service.lines.find(about("job_overtaken", late));
    await service.lines.find(about("job_succeeded", await latest("resume")));
    expect(dispatch.forgotten().slice(before)).toEqual(["acme"]);
    const { job, events, updates } = await reported(late);
    expect(job).toMatchObject({ status: "cancelled", cause: expect.stringContaining("has begun") });
    expect(events.at(-1)).toBe("cancelled");
    expect(updates).toEqual(["job.started", "job.started", "job.cancelled"]);
    const row = await database.db.selectFrom("tenantry.instances").selectAll().where("id", "=", instance).execute();
    expect(row).toMatchObject([{ status: "running", state_cause: null }]);
  });

  test("is cancelled when the instance is deleted or running", async () => {
    const id = await ask("freeze");
    const gone = await ask("freeze");
    await database.db.updateTable("tenantry.jobs").set({ instance_id: null }).where("id", "=", gone).execute();
    // The instance is running: the job does not change it.
    await service.lines.find(about("job_overtaken", id));
    await service.lines.find(about("job_overtaken", gone));
  });
});
