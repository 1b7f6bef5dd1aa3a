import type { Transaction } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Freezable, freezeInstance, resumeInstance } from "#database/tenants/freezing.ts";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import type { DB } from "#database/types.ts";
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
  const requests = dispatch.heard.slice(before).map(({ request }) => request);
  expect(requests.filter((request) => request.startsWith("GET /_invalidate"))).toEqual([
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
