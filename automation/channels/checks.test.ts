import { afterAll, beforeAll, expect, test } from "vitest";
import { openAs } from "#database/testing/as-caller.ts";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import { checkChannels } from "./checks.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database?.stop());

test("checks each channel in one hour of the day, and stores what changed with one event", async () => {
  const service = openAs(database, "service");
  const acme = await insertInstance(database.db, await insertClient(database.db, { slug: "acme" }));
  const frozen = await insertInstance(database.db, await insertClient(database.db, { slug: "iced" }), {
    status: "frozen",
  });
  const connect = async (kind: string, instance_id = acme) => {
    const values = { environment: "production", credentials: Buffer.alloc(40), account_name: "old", created_by: "x" };
    const insert = database.db.insertInto("tenantry.channels").values({
      ...{ ...values, kind, instance_id, account_id: kind + instance_id },
    });
    return (await insert.returning("id").executeTakeFirstOrThrow()).id;
  };
  const [matrix, discord] = [await connect("matrix"), await connect("discord")];
  await connect("irc");
  await connect("matrix", frozen);
  let names: Record<string, string | null> = { [matrix]: null, [discord]: "new" };
  const asked: string[] = [];
  const check = async (channels: readonly { id: string }[]) => {
    asked.push(...channels.map(({ id }) => id));
    return channels.flatMap(({ id }) => (names[id] === undefined ? [] : [{ id, name: names[id] }]));
  };
  const day = async () => {
    const { signal } = new AbortController();
    const rounds = { accepted: 0, rejected: 0, unknown: 0 };
    for (let hour = 0; hour < 24; hour += 1) {
      const round = await checkChannels(service, {
        environment: "production",
        vendors: { check },
        hour,
        pauseMs: 0,
        signal,
      });
      for (const what of ["accepted", "rejected", "unknown"] as const) rounds[what] += round[what];
    }
    return rounds;
  };
  const rows = async () =>
    (
      await database.pool.query(
        "select account_name as name, fault from tenantry.channels where id in ($1, $2) order by kind",
        [matrix, discord],
      )
    ).rows;
  expect(await day()).toEqual({ accepted: 1, rejected: 1, unknown: 0 });
  expect(asked.toSorted()).toEqual([matrix, discord].toSorted());
  await day();
  const rejected = { name: "old", fault: "token_rejected" };
  expect(await rows()).toEqual([{ name: "new", fault: null }, rejected]);
  names = {};
  expect(await day()).toEqual({ accepted: 0, rejected: 0, unknown: 2 });
  expect((await rows())[1]).toEqual(rejected);
  await database.pool.query(
    "update tenantry.channels set fault = 'push_failed', last_error = 'x' where kind = 'discord'",
  );
  names = { [matrix]: "mx", [discord]: "new" };
  await day();
  expect(await rows()).toEqual([
    { name: "new", fault: "push_failed" },
    { name: "mx", fault: null },
  ]);
  const { rows: events } = await database.pool.query("select kind from tenantry.events order by id");
  expect(events.map(({ kind }) => kind)).toEqual(["channel.token_rejected", "channel.token_accepted"]);
  await service.destroy();
});
