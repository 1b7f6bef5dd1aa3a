import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertInstance } from "../../database/testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "../../database/testing/test-database.ts";
import { type HttpStandIn, startHttpStandIn } from "../testing/http-stand-in.ts";
import { startTestService } from "../testing/test-service.ts";

type Service = Awaited<ReturnType<typeof startTestService>>;

let database: TestDatabase;
let dispatch: HttpStandIn;
let service: Service;
let client: string;
let instance: string;
beforeAll(async () => {
  database = await startTestDatabase();
  dispatch = await startHttpStandIn();
  service = await startTestService(database, { DISPATCH_URL: dispatch.url });
  client = await insertClient(database.db, { slug: "acme" });
  instance = await insertInstance(database.db, client);
});
afterAll(async () => {
  await service.stop();
  await dispatch.stop();
  await database.stop();
});

async function ask(kind: string, slug = "acme"): Promise<string> {
  const values = { kind, slug, client_id: client, instance_id: instance, requested_by: "root@tenantry.example" };
  return (await database.db.insertInto("tenantry.jobs").values(values).returning("id").executeTakeFirstOrThrow()).id;
}

async function told(id: string) {
  const { db } = database;
  const job = await db.selectFrom("tenantry.jobs").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const events = await db
    .selectFrom("tenantry.job_events")
    .select("kind")
    .where("job_id", "=", id)
    .orderBy("id")
    .execute();
  const news = await db.selectFrom("tenantry.events").select(["kind", "data"]).where("kind", "like", "job.%").execute();
  return {
    job,
    events: events.map(({ kind }) => kind),
    news: news.filter(({ data }) => (data as { job_id?: string }).job_id === id).map(({ kind }) => kind),
  };
}

const about = (event: string, id: string) => (line: { event: string; job?: unknown }) =>
  line.event === event && line.job === id;

test("a job is carried out, from its request to its end", async () => {
  const id = await ask("invalidate");
  await service.lines.find(about("job_succeeded", id));
  expect(dispatch.heard.at(-1)?.request).toBe("GET /_invalidate/acme");
  const { job, events, news } = await told(id);
  expect(job).toMatchObject({ status: "succeeded", attempts: 1, cause: null });
  expect(events).toEqual(["queued", "started", "succeeded"]);
  expect(news).toEqual(["job.succeeded"]);
});

test("one that fails is tried again; what can never be done fails at once, with what to do", async () => {
  dispatch.answers.push(503);
  const id = await ask("invalidate");
  await service.lines.find(about("job_failed", id));
  await service.lines.find(about("job_succeeded", id));
  expect((await told(id)).events).toEqual(["queued", "started", "retried", "started", "succeeded"]);
  const wrong = await ask("invalidate", "No Slug");
  await service.lines.find(about("job_failed", wrong));
  while ((await told(wrong)).job.ended_at === null) await new Promise((resolve) => setTimeout(resolve, 20));
  const { job, events, news } = await told(wrong);
  expect(job).toMatchObject({ status: "failed", cause: "It names no tenant's slug. Ask for it again with one." });
  expect(events).toEqual(["queued", "started", "failed"]);
  expect(news).toEqual(["job.failed"]);
});

test("one that this release does not carry out stays queued, and says so once", async () => {
  const id = await ask("provision");
  await service.lines.find(about("job_waits", id));
  const { job, events } = await told(id);
  expect(job).toMatchObject({ status: "queued", attempts: 0 });
  expect(events).toEqual(["queued", "waiting"]);
});
