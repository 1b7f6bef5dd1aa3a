import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readRedeployments, requestRedeployments } from "#database/tenants/redeployment.ts";
import { insertClient, insertInstance, insertPoolEntry } from "#database/testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import { type JobRequest, requestJob } from "#database/work/job-request.ts";
import { type DispatchStandIn, startDispatchStandIn } from "../testing/dispatch-stand-in.ts";
import { type EngineStandIn, engineStandIn } from "../testing/engine-stand-in.ts";
import { type HttpStandIn, startHttpStandIn } from "../testing/http-stand-in.ts";
import { startTestService } from "../testing/test-service.ts";

let database: TestDatabase;
let dispatch: DispatchStandIn;
let dashboard: HttpStandIn;
let engine: EngineStandIn;
/** Response of the dashboard. */
let answer: object;
/** Response to a backup request. */
let backup: object;
/** What a tenant's inbox holds. */
let inbox: object | undefined;
let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  database = await startTestDatabase();
  dispatch = await startDispatchStandIn((request) => {
    if (request.startsWith("GET /_status/"))
      return { ts: new Date().toISOString(), sandbox: "asleep", warnings: [], ...(inbox && { inbox }) };
    return request.startsWith("POST /_backup/") ? backup : undefined;
  });
  engine = engineStandIn();
  dashboard = await startHttpStandIn(() => answer);
  const live = { LIVE_URL: `${dashboard.url}/internal/live`, LIVE_TOKEN: "live-token-of-a-test" };
  service = await startTestService(database, { DISPATCH_URL: dispatch.url, ...live, ...engine.variables });
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([dispatch?.stop(), dashboard?.stop()]);
  await database?.stop();
  engine?.remove();
});
beforeEach(() => {
  backup = { id: "b1" };
  inbox = undefined;
  answer = {};
  dispatch.heard.length = 0;
  dispatch.next.length = 0;
});

type Tenant = Pick<JobRequest, "clientId" | "instanceId" | "slug">;

async function tenant(slug: string, values: object = {}): Promise<Tenant> {
  const clientId = await insertClient(database.db, { slug, managed_by: "dashboard" });
  return {
    slug,
    clientId,
    instanceId: await insertInstance(database.db, clientId, { managed_by: "dashboard", ...values }),
  };
}
const asked = { generation: 1, requestedBy: "root@tenantry.example" };
const ask = (of: Tenant, kind: JobRequest["kind"], more: Partial<JobRequest> = {}) =>
  requestJob(database.db, { ...of, ...asked, kind, ...more });

/** Waits until the job has ended. */
async function ended(id: string) {
  const read = () => database.db.selectFrom("tenantry.jobs").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  await expect.poll(async () => (await read()).ended_at, { timeout: 60_000 }).not.toBeNull();
  return read();
}
const instanceOf = ({ instanceId }: Tenant) =>
  database.db.selectFrom("tenantry.instances").selectAll().where("id", "=", instanceId).executeTakeFirst();
const planOf = async ({ clientId }: Tenant) =>
  (await database.db.selectFrom("tenantry.clients").selectAll().where("id", "=", clientId).executeTakeFirstOrThrow())
    .billing_plan;
const backups = () => dispatch.heard.filter(({ request }) => request.startsWith("POST /_backup/")).length;

test("a removal deletes the row of a tenant that was never deployed", async () => {
  const never = await tenant("never", { status: "stopped" });
  expect(await ended(await ask(never, "deprovision"))).toMatchObject({ status: "succeeded", instance_id: null });
  expect(await instanceOf(never)).toBeUndefined();
  expect(backups()).toBe(1);
});

test("a removal states the messages that are deleted with the inbox", async () => {
  const steps = async (slug: string) => {
    const job = await ask(await tenant(slug, { status: "stopped" }), "deprovision");
    expect(await ended(job)).toMatchObject({ status: "succeeded" });
    const { rows } = await database.pool.query(
      "select message, data from tenantry.job_events where job_id = $1 and kind = 'step'",
      [job],
    );
    return rows;
  };
  inbox = { pending: 3, dead: 1, limit: 1_000 };
  expect(await steps("with-messages")).toEqual([
    {
      message: "The inbox is deleted with 3 pending and 1 dead messages.",
      data: { pending: 3, dead: 1 },
    },
  ]);
  inbox = { pending: 0, dead: 0, limit: 1_000 };
  expect(await steps("without-messages")).toEqual([]);
});

test("a removal ends the webhooks of channels at their vendors, and never waits for a vendor", async () => {
  const orders = () => dashboard.heard.filter(({ request }) => request === "POST /internal/live/channels/stop");
  const remove = async (slug: string, isFaulty = false) => {
    const one = await tenant(slug, { status: "stopped" });
    const connected = async (kind: string, name: string) => {
      const channel = { environment: "production", instance_id: one.instanceId, kind, created_by: "x" };
      const values = { ...channel, credentials: Buffer.alloc(40), account_id: slug, account_name: name };
      const door = {
        instance_id: one.instanceId,
        kind,
        name: kind,
        key_hash: Buffer.alloc(32, slug + kind),
        key_hint: "hint",
      };
      const { id: door_id } = await database.db
        .insertInto("tenantry.doors")
        .values({ ...door, secrets: Buffer.alloc(40), secret_names: [], created_by: "x" })
        .returning("id")
        .executeTakeFirstOrThrow();
      const insert = database.db.insertInto("tenantry.channels").values({ ...values, door_id });
      return (await insert.returning("id").executeTakeFirstOrThrow()).id;
    };
    const [telegram] = [await connected("telegram", "@acme_bot"), await connected("slack", "@acme (Acme)")];
    answer = isFaulty ? { error: { code: "internal" } } : { stopped: [telegram] };
    const job = await ask(one, "deprovision");
    expect(await ended(job)).toMatchObject({ status: "succeeded" });
    expect(await instanceOf(one)).toBeUndefined();
    const text = "select message from tenantry.job_events where job_id = $1 and kind = 'step' order by id";
    return (await database.pool.query(text, [job])).rows.map(({ message }) => message);
  };
  const byHand = expect.stringMatching(
    /^The channel of @acme \(Acme\) \(Slack\) ends with .*turn off Event Subscriptions/,
  );
  expect(await remove("with-channels")).toEqual([
    byHand,
    "Telegram sends no more messages of @acme_bot to the tenant.",
  ]);
  // Again after the tenant's Worker was deleted.
  expect(orders().map(({ body }) => JSON.parse(body).sealed.length)).toEqual([2, 1]);
  expect(orders()[0]?.authorization).toBe("Bearer live-token-of-a-test");
  expect(await remove("with-a-fault", true)).toEqual([
    byHand,
    expect.stringMatching(/^The channel of @acme_bot \(Telegram\) .*deleteWebhook/),
  ]);
});

test("does not remove a tenant without a last backup, unless its state is discarded", async () => {
  const broken = await tenant("broken", { status: "stopped" });
  const body = { error: { code: "conflict", message: "The state is not that of the newest backup." } };
  dispatch.next.push({ on: "POST /_backup/", status: 409, body });
  const failed = await ended(await ask(broken, "deprovision"));
  expect(failed.status).toBe("failed");
  expect(failed.cause).toMatch(
    /Failed to make the last backup, so nothing was removed: The state is not .*discard_state/,
  );
  expect(await instanceOf(broken)).toMatchObject({
    status: "stopped",
    state_cause: expect.stringContaining("The state is not"),
  });

  dispatch.heard.length = 0;
  const given = await ask(broken, "deprovision", { payload: { discard_state: true } });
  expect(await ended(given)).toMatchObject({ status: "succeeded" });
  expect(await instanceOf(broken)).toBeUndefined();
  expect(backups()).toBe(0);
});

test("keeps the client's former plan when the change fails", async () => {
  const of = await tenant("refused");
  const failed = await ended(await ask(of, "change_plan", { payload: { from: "basic", to: "pro" } }));
  expect(failed).toMatchObject({ status: "failed", cause: expect.stringContaining("no stack named") });
  expect(await planOf(of)).toBe("basic");
  const { rows } = await database.pool.query("select plan from tenantry.client_plans where client_id = $1", [
    of.clientId,
  ]);
  expect(rows).toEqual([{ plan: "basic" }]);
  expect(await instanceOf(of)).toMatchObject({
    status: "running",
    state_cause: expect.stringContaining("The change of its plan failed"),
  });
});

test("redeploys the dashboard's tenants that have a stack, after requested jobs", async () => {
  const { db } = database;
  const waiting = await tenant("waiting");
  await tenant("frozen-one", { status: "frozen" });
  await tenant("removed", { status: "stopped" });
  const git = await insertClient(db, { slug: "declared" });
  await insertInstance(db, git);
  const others = await db.selectFrom("tenantry.instances").select("id").where("status", "=", "running").execute();
  const ids = await requestRedeployments(db, "production", { requestedBy: "rotation", reason: "tenant-tokens" });
  await Promise.all(ids.map(ended));
  const jobs = await readRedeployments(db, ids);
  expect(jobs.map(({ slug }) => slug)).toEqual(expect.arrayContaining(["frozen-one", "waiting"]));
  expect(jobs.map(({ slug }) => slug)).not.toContain("removed");
  expect(jobs.map(({ slug }) => slug)).not.toContain("declared");
  expect(jobs.length).toBeLessThan(others.length + 1);
  // The platform's stack does not exist.
  const failed = jobs.find(({ slug }) => slug === "waiting");
  expect(failed).toMatchObject({ isEnded: true, cause: expect.stringContaining("no stack named") });
  expect(await instanceOf(waiting)).toMatchObject({ status: "running" });
  const { rows } = await database.pool.query(
    "select tenantry.priority_of_job('{\"background\": \"x\"}') > tenantry.priority_of_job('{}') as later, tenantry.task_of_job('redeploy') as task",
  );
  expect(rows).toEqual([{ later: true, task: "operation" }]);
});

test("releases the slot of the former gateway when a move fails or is overtaken", async () => {
  const pool = await insertPoolEntry(database.db, { gateway_id: "pool-a", max_instances: 1 });
  const bound = { ai_gateway_id: "pool-a", ai_gateway_pool_id: pool };
  const of = await tenant("moved", bound);
  const payload = { from: "pool-a", ai_gateway_id: "own" };
  const failed = await ended(await ask(of, "assign_gateway", { payload }));
  expect(failed).toMatchObject({ status: "failed" });
  expect(await instanceOf(of)).toMatchObject({ held_pool_id: null });
  // As an earlier attempt left it.
  await database.db
    .updateTable("tenantry.instances")
    .set({ held_pool_id: pool })
    .where("id", "=", of.instanceId)
    .execute();
  const overtaken = await ended(await ask(of, "assign_gateway", { payload, generation: 0 }));
  expect(overtaken).toMatchObject({ status: "cancelled" });
  expect(await instanceOf(of)).toMatchObject({ held_pool_id: null });
});

test("ends a hanging run at the job's deadline, records it at the instance, and starts the tenant's next job", async () => {
  const of = await tenant("hung");
  engine.hang();
  // The deadline is read when the job begins.
  const job = await database.db.transaction().execute(async (tx) => {
    const id = await requestJob(tx, { ...of, ...asked, kind: "change_plan", payload: { from: "basic", to: "pro" } });
    const deadline = sql<Date>`now() + interval '8 seconds'`;
    await tx.updateTable("tenantry.jobs").set({ deadline }).where("id", "=", id).execute();
    return id;
  });
  const next = await ask(of, "invalidate");
  await ended(job);
  engine.goOn();
  expect(await ended(job)).toMatchObject({ status: "failed", cause: expect.stringContaining("missed its deadline") });
  expect(await planOf(of)).toBe("basic");
  expect(await instanceOf(of)).toMatchObject({
    status: "running",
    state_cause: expect.stringContaining("missed its deadline"),
  });
  expect(await ended(next)).toMatchObject({ status: "succeeded" });
});
