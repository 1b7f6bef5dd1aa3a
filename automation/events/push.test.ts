import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient } from "#database/testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import { LIVE_EVENTS_LIMIT, liveEvents } from "#workers/contracts/live.ts";
import { type HttpStandIn, startHttpStandIn } from "../testing/http-stand-in.ts";
import { startTestService } from "../testing/test-service.ts";

let database: TestDatabase;
let dashboard: HttpStandIn;
beforeAll(async () => {
  database = await startTestDatabase();
  dashboard = await startHttpStandIn();
});
afterAll(async () => {
  await dashboard.stop();
  await database.stop();
});

const live = () => ({ LIVE_URL: `${dashboard.url}/live/events`, LIVE_TOKEN: "live-token-of-a-test" });

async function undelivered(): Promise<number> {
  const { rows } = await database.pool.query("select from tenantry.events where delivered_at is null");
  return rows.length;
}

test("pushes each event once, in batches, and keeps undelivered events", async () => {
  const { db } = database;
  const partner = await db
    .insertInto("tenantry.partners")
    .values({ slug: "globex", name: "Globex" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const client = await insertClient(db, { slug: "acme", partner_id: partner.id });

  // Without a URL nothing is pushed, and the queue is processed.
  const quiet = await startTestService(database);
  await db
    .insertInto("tenantry.events")
    .values({ kind: "client.created", client_id: client, data: { slug: "acme" } })
    .execute();
  const worked = async () => (await database.pool.query("select from graphile_worker._private_jobs")).rows.length === 0;
  while (!(await worked())) await new Promise((resolve) => setTimeout(resolve, 20));
  await quiet.stop();
  expect(await undelivered()).toBe(1);

  dashboard.next.push({ on: "POST /live/events", status: 502 });
  const service = await startTestService(database, live());
  await db.insertInto("tenantry.events").values({ kind: "client.changed", client_id: client }).execute();
  const { cause } = await service.lines.find(({ event }) => event === "task_failed");
  expect(cause).toBe("The dashboard returned HTTP 502 for /live/events. Check its token and its log.");
  expect(await undelivered()).toBe(2);

  // More than one call takes, in one transaction; the retry includes them.
  await db
    .insertInto("tenantry.events")
    .values(Array.from({ length: LIVE_EVENTS_LIMIT }, () => ({ kind: "client.changed", client_id: client })))
    .execute();
  await dashboard.answered(3);
  await service.lines.find(({ event, events }) => event === "events_pushed" && events === 2);
  const [, first, second] = dashboard.heard.map(({ request, authorization, body }) => {
    expect([request, authorization]).toEqual(["POST /live/events", "Bearer live-token-of-a-test"]);
    return liveEvents.parse(JSON.parse(body));
  });
  expect(first?.events).toHaveLength(LIVE_EVENTS_LIMIT);
  expect(first?.events[0]).toMatchObject({
    kind: "client.created",
    partner_id: partner.id,
    client_id: client,
    data: { slug: "acme" },
  });
  expect(second?.last).toBe(second?.events.at(-1)?.id);
  expect(await undelivered()).toBe(0);
  await service.stop();
});
