import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseAddress, databaseUrl } from "../connection/address.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { endSessions } from "./end-sessions.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase({ migrated: false });
  // As in managed databases: an owner that creates roles without being a superuser.
  await database.pool.query("create role owner login createrole password 'x'");
});
afterAll(() => database.stop());

const urlOf = (user: string) => databaseUrl({ ...databaseAddress(database.url), user, password: "x" });

/** A session of a role, and the error that ended it. */
async function session(user: string) {
  const client = new pg.Client({ connectionString: urlOf(user) });
  let ended: string | undefined;
  client.on("error", (error: Error & { code?: string }) => {
    ended ??= error.code;
  });
  await client.connect();
  return { client, ended: () => ended };
}

async function asOwner(task: (client: pg.Client) => Promise<void>): Promise<void> {
  const { client } = await session("owner");
  try {
    await client.query("begin");
    await task(client);
    await client.query("commit");
  } finally {
    await client.end();
  }
}

const sessionsOf = async (role: string) =>
  (await database.pool.query("select from pg_stat_activity where usename = $1", [role])).rowCount;

test("ends the sessions of a role that can no longer log in, after their running statements", async () => {
  await asOwner(async (owner) => {
    await owner.query("create role former login password 'x'; create role other login password 'x'");
  });
  const [idle, busy, other] = [await session("former"), await session("former"), await session("other")];
  const answer = busy.client.query("select pg_sleep(1), 'done' as result");
  await asOwner(async (owner) => {
    await owner.query("alter role former nologin");
    await endSessions(owner, "former");
  });
  expect((await answer).rows[0]).toMatchObject({ result: "done" });
  expect(await sessionsOf("former")).toBe(0);
  expect(idle.ended()).toBe("57P01");
  expect(await sessionsOf("other")).toBe(1);
  await expect(session("former")).rejects.toThrow('role "former" is not permitted to log in');
  // The owner is no longer a member.
  const { rows } = await database.pool.query("select pg_has_role('owner', 'former', 'usage') as member");
  expect(rows).toEqual([{ member: false }]);
  await other.client.end();
});

test("ends a session that does not finish in time", async () => {
  await asOwner(async (owner) => void (await owner.query("create role late login password 'x'")));
  const late = await session("late");
  await late.client.query("begin");
  await asOwner(async (owner) => {
    await owner.query("alter role late nologin");
    await endSessions(owner, "late", 300);
  });
  expect(await sessionsOf("late")).toBe(0);
});

test("does not end sessions of a role that can log in", async () => {
  await asOwner(async (owner) => void (await owner.query("create role current login password 'x'")));
  const current = await session("current");
  await expect(asOwner((owner) => endSessions(owner, "current"))).rejects.toThrow("The role current can still log in");
  expect(await sessionsOf("current")).toBe(1);
  await current.client.end();
});
