import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import { requestJob } from "#database/work/job-request.ts";
import { type DispatchStandIn, startDispatchStandIn } from "../testing/dispatch-stand-in.ts";
import { startTestService } from "../testing/test-service.ts";

type Service = Awaited<ReturnType<typeof startTestService>>;

const refusal = (code: string, message: string) => ({ error: { code, message } });
const health = (ok: boolean) => {
  const probe = { ok, status: ok ? "success" : "failure", latencyMs: 1, ...(!ok && { error: "it is away" }) };
  return {
    ts: new Date().toISOString(),
    startup: probe,
    readiness: probe,
    liveness: probe,
    restoreStatus: { hadBackup: true, restored: ok },
    status: ok ? "running" : "stopped",
  };
};

let database: TestDatabase;
let dispatch: DispatchStandIn;
let service: Service;
let ready: boolean;
let restored: object;
beforeAll(async () => {
  database = await startTestDatabase();
  dispatch = await startDispatchStandIn((request) => {
    if (request.startsWith("POST /_restore/")) return restored;
    return request.startsWith("POST /_start/") ? health(ready) : undefined;
  });
  service = await startTestService(database, { DISPATCH_URL: dispatch.url });
});
afterAll(async () => {
  await service?.stop();
  await dispatch?.stop();
  await database?.stop();
});
beforeEach(() => {
  dispatch.heard.length = 0;
  dispatch.next.length = 0;
  ready = true;
  restored = { restored: "b1", present: { id: "b2", version: 1 } };
});

async function tenant(
  slug: string,
  values: object = {},
): Promise<{ clientId: string; instanceId: string; slug: string }> {
  const clientId = await insertClient(database.db, { slug });
  return { clientId, instanceId: await insertInstance(database.db, clientId, values), slug };
}
const ask = (of: Awaited<ReturnType<typeof tenant>>, discard_present = false) =>
  requestJob(database.db, {
    ...of,
    kind: "restore_backup",
    generation: 1,
    requestedBy: "root@tenantry.example",
    payload: { backup_id: "b1", discard_present },
  });

async function reported(id: string) {
  const { db } = database;
  const job = await db.selectFrom("tenantry.jobs").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const events = await db
    .selectFrom("tenantry.job_events")
    .select(["kind", "message", "data"])
    .where("job_id", "=", id)
    .orderBy("id")
    .execute();
  return { job, events, kinds: events.map(({ kind }) => kind) };
}
const causeOf = async (instanceId: string) =>
  (await database.db.selectFrom("tenantry.instances").selectAll().where("id", "=", instanceId).execute())[0]
    ?.state_cause;
async function ended(id: string) {
  await service.lines.find(
    ({ event, job }) => job === id && ["job_succeeded", "job_overtaken", "job_failed"].includes(event),
  );
  await expect.poll(async () => (await reported(id)).job.ended_at).not.toBeNull();
  return reported(id);
}
const orders = () => dispatch.heard.filter(({ request }) => request.startsWith("POST /_restore/"));

test.each([
  ["the dashboard", "dashboard", false],
  ["Git", "git", true],
])("restores an instance of %s by the job's id, and ends when the gateway is ready", async (_, owner, discard) => {
  const acme = await tenant(`of-${owner}`, { managed_by: owner });
  const id = await ask(acme, discard);
  const { job, kinds, events } = await ended(id);
  expect([job.status, job.cause, kinds]).toEqual(["succeeded", null, ["queued", "started", "restored", "succeeded"]]);
  expect(events[2]).toMatchObject({
    message: "Backup b1 is restored. Backup b2 has the former state.",
    data: { backup_id: "b1", present_id: "b2" },
  });
  expect(orders().map(({ request, body }) => [request, JSON.parse(body)])).toEqual([
    [`POST /_restore/of-${owner}/b1`, { discardPresent: discard, order: id }],
  ]);
  expect(dispatch.heard.map(({ request }) => request)).toContain(`POST /_start/of-${owner}`);
});

test("records that no state was backed up when no gateway ran", async () => {
  restored = { restored: "b1" };
  const { events } = await ended(await ask(await tenant("asleep")));
  expect(events.find(({ kind }) => kind === "restored")?.message).toContain("The former state was not backed up");
});

test("repeats the order when its response was lost, and only waits when the response was recorded", async () => {
  dispatch.next.push({ on: "POST /_restore/", status: 502 });
  const id = await ask(await tenant("lost"));
  await service.lines.find(({ event, job }) => job === id && event === "job_succeeded");
  const { kinds } = await reported(id);
  expect(kinds).toEqual(["queued", "started", "retried", "started", "restored", "succeeded"]);
  expect(orders().map(({ body }) => JSON.parse(body).order)).toEqual([id, id]);

  dispatch.heard.length = 0;
  const again = await tenant("again");
  const blocked = await ask(again);
  await ended(blocked);
  // As after a process that was killed when the tenant had responded.
  await database.pool.query(
    "update tenantry.jobs set status = 'running', ended_at = null, cause = null where id = $1",
    [blocked],
  );
  await database.pool.query(
    "select tenantry.enqueue('production', 'job', jsonb_build_object('id', $1::text), 'again')",
    [blocked],
  );
  await expect.poll(async () => (await reported(blocked)).job.ended_at, { timeout: 20_000 }).not.toBeNull();
  expect(orders()).toHaveLength(1);
  expect((await reported(blocked)).kinds.filter((kind) => kind === "restored")).toHaveLength(1);
});

test.each([
  [
    409,
    refusal("conflict", "That backup is damaged: its archive is gone."),
    "That backup is damaged: its archive is gone.",
  ],
  [404, refusal("not_found", "There is no such backup."), "There is no such backup."],
  [404, refusal("tenant_not_found", "There is no such tenant."), "Deploy both"],
])(
  "fails without a retry when the tenant refuses (%d), and records the cause at the instance",
  async (status, body, sentence) => {
    dispatch.next.push({ on: "POST /_restore/", status, body });
    const acme = await tenant(`refused-${crypto.randomUUID().slice(0, 8)}`, { managed_by: "git" });
    const { job, kinds } = await ended(await ask(acme));
    expect([job.status, kinds]).toEqual(["failed", ["queued", "started", "failed"]]);
    expect(job.cause).toContain(sentence);
    expect(await causeOf(acme.instanceId)).toMatch(/^The restore failed: .*restore another backup\.$/);
    expect(await causeOf(acme.instanceId)).toContain(sentence);
    expect(orders()).toHaveLength(1);
  },
);

test("is cancelled when the instance has another operation or is not running", async () => {
  const moved = await tenant("moved", { generation: 2 });
  expect((await ended(await ask(moved))).job).toMatchObject({
    status: "cancelled",
    cause: expect.stringContaining("has begun"),
  });
  const stopped = await tenant("stopped", { status: "stopped" });
  expect((await ended(await ask(stopped))).job).toMatchObject({
    status: "cancelled",
    cause: "The instance is stopped now. Request the operation again if it is still needed.",
  });
  expect(orders()).toEqual([]);
});
