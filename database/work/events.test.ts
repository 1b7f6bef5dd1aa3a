/** Events of concurrent transactions. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient } from "../testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { queueEvent } from "./events.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

test("queues an event of a locked client without waiting for other events of it", async () => {
  const { db } = database;
  const client_id = await insertClient(db, { slug: "acme" });
  const reported = async () =>
    (await db.selectFrom("tenantry.events").select("kind").orderBy("id").execute()).map(({ kind }) => kind);
  await db.deleteFrom("tenantry.events").execute();
  const holder = await db.startTransaction().execute();
  const other = await db.startTransaction().execute();
  await holder.selectFrom("tenantry.clients").select("id").where("id", "=", client_id).forUpdate().execute();
  const waiting = queueEvent(other, { client_id, kind: "client.other" });
  await expect.poll(async () => (await database.pool.query("select from pg_locks where not granted")).rowCount).toBe(1);
  await queueEvent(holder, { client_id, kind: "client.held" });
  await holder.commit().execute();
  await waiting;
  expect(await reported()).toEqual(["client.held"]);
  await other.commit().execute();
  expect(await reported()).toEqual(["client.held", "client.other"]);
});
