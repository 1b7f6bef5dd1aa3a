import { sql } from "kysely";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { insertClient, insertInstance, insertPoolEntry } from "../testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

test("a client has one instance", async () => {
  const client = await insertClient(database.db);
  await insertInstance(database.db, client);
  await expect(insertInstance(database.db, client, { worker_name: "tenant-second" })).rejects.toMatchObject({
    code: "23505",
    constraint: "instances_client_id_key",
  });
});

test("an instance bound to a pool entry names that entry's gateway", async () => {
  const pool = await insertPoolEntry(database.db, { gateway_id: "named", max_instances: 1 });
  const unnamed = insertInstance(database.db, await insertClient(database.db), { ai_gateway_pool_id: pool });
  await expect(unnamed).rejects.toMatchObject({ code: "23514" });
  const other = { ai_gateway_pool_id: pool, ai_gateway_id: "other" };
  await expect(insertInstance(database.db, await insertClient(database.db), other)).rejects.toMatchObject({
    code: "23503",
  });
});

test("refuses a disabled entry, and one of another environment", async () => {
  const { db } = database;
  const disabled = await insertPoolEntry(db, { gateway_id: "disabled", max_instances: 1, enabled: false });
  const staging = await insertPoolEntry(db, { gateway_id: "staging", max_instances: 1, environment: "staging" });
  const claim = async (gateway: string, pool: string, environment: string) =>
    insertInstance(db, await insertClient(db, { environment }), { ai_gateway_id: gateway, ai_gateway_pool_id: pool });
  await expect(claim("disabled", disabled, "production")).rejects.toMatchObject({ code: "TN001" });
  await expect(claim("staging", staging, "production")).rejects.toMatchObject({ code: "TN001" });
  const bound = await claim("staging", staging, "staging");
  const elsewhere = { environment: "production", client_id: await insertClient(db) };
  const moved = db.updateTable("tenantry.instances").set(elsewhere).where("id", "=", bound);
  await expect(moved.execute()).rejects.toMatchObject({ code: "TN001" });
});

test("refuses a full entry by its name, but no change that claims nothing", async () => {
  const { db } = database;
  const pool = await insertPoolEntry(db, { gateway_id: "full", max_instances: 1 });
  const binding = { ai_gateway_id: "full", ai_gateway_pool_id: pool };
  const holder = await insertInstance(db, await insertClient(db), binding);
  await expect(insertInstance(db, await insertClient(db), binding)).rejects.toMatchObject({
    code: "TN002",
    message: "no_ai_gateway_capacity: AI gateway full holds 1 of 1 instances; plan again or raise max_instances",
  });
  const update = db.updateTable("tenantry.instances").where("id", "=", holder);
  await update.set({ status: "stopped" }).execute();
  await update.set({ ...binding }).execute();
  await update.set({ ai_gateway_pool_id: null }).execute();
  await insertInstance(db, await insertClient(db), binding);
});

test("swaps full entries in one transaction with a deferred check, without exceeding them", async () => {
  const { db } = database;
  const entry = async (name: string) => ({
    ai_gateway_id: name,
    ai_gateway_pool_id: await insertPoolEntry(db, { gateway_id: name, max_instances: 1 }),
  });
  const [left, right] = [await entry("left"), await entry("right")];
  const one = await insertInstance(db, await insertClient(db), left);
  const two = await insertInstance(db, await insertClient(db), right);
  const move = (to: typeof left, id: string) => (connection: typeof db) =>
    connection.updateTable("tenantry.instances").set(to).where("id", "=", id).execute();
  await expect(move(right, one)(db)).rejects.toMatchObject({ code: "TN002" });
  const together = (...moves: ReturnType<typeof move>[]) =>
    db.transaction().execute(async (transaction) => {
      await sql`set constraints all deferred`.execute(transaction);
      for (const change of moves) await change(transaction);
    });
  await together(move(right, one), move(left, two));
  await expect(together(move(left, one), move(left, two))).rejects.toMatchObject({ code: "TN002" });
  const bound = await db
    .selectFrom("tenantry.instances")
    .select(["id", "ai_gateway_id"])
    .where("id", "in", [one, two])
    .execute();
  expect(Object.fromEntries(bound.map(({ id, ai_gateway_id }) => [id, ai_gateway_id]))).toEqual({
    [one]: "right",
    [two]: "left",
  });
});

describe("two claims of the last slot at once", () => {
  let first: pg.Client;
  let second: pg.Client;
  let binding: string[];
  let clients: string[];
  let entries = 0;
  beforeEach(async () => {
    [first, second] = [new pg.Client(database.url), new pg.Client(database.url)];
    await Promise.all([first.connect(), second.connect()]);
    const name = `contended-${++entries}`;
    binding = [name, await insertPoolEntry(database.db, { gateway_id: name, max_instances: 1 })];
    clients = [await insertClient(database.db), await insertClient(database.db)];
  });
  afterEach(() => Promise.all([first.end(), second.end()]));

  function claim(connection: pg.Client, client: string | undefined): Promise<unknown> {
    return connection.query(
      `insert into tenantry.instances (client_id, environment, worker_name, ai_gateway_id, ai_gateway_pool_id)
       values ($1::uuid, 'production', 'tenant-' || $1::uuid, $2, $3)`,
      [client, ...binding],
    );
  }

  async function boundClients(): Promise<string[]> {
    const rows = database.db
      .selectFrom("tenantry.instances")
      .select("client_id")
      .where("ai_gateway_pool_id", "=", binding[1] ?? "");
    return (await rows.execute()).map((row) => row.client_id);
  }

  /** Resolves when the connection waits for another one's lock. */
  async function waits(connection: pg.Client): Promise<void> {
    const { processID } = z.object({ processID: z.number() }).parse(connection);
    await vi.waitFor(
      async () => {
        const { rows } = await database.pool.query("select from pg_locks where pid = $1 and not granted", [processID]);
        expect(rows).toHaveLength(1);
      },
      { timeout: 20_000, interval: 10 },
    );
  }

  test("the one that waits for the row's lock is refused when the other commits", async () => {
    await first.query("begin");
    await claim(first, clients[0]);
    const waiting = claim(second, clients[1]).then(
      () => "bound",
      (error: pg.DatabaseError) => error.code,
    );
    await waits(second);
    await first.query("commit");
    expect(await waiting).toBe("TN002");
    expect(await boundClients()).toEqual([clients[0]]);
  });

  test("the one that waits is bound when the other rolls back", async () => {
    await first.query("begin");
    await claim(first, clients[0]);
    const waiting = claim(second, clients[1]);
    await waits(second);
    await first.query("rollback");
    await waiting;
    expect(await boundClients()).toEqual([clients[1]]);
  });

  test("a repeatable-read transaction cannot claim the slot with an old snapshot", async () => {
    await second.query("begin isolation level repeatable read");
    await second.query("select count(*) from tenantry.instances");
    await claim(first, clients[0]);
    await expect(claim(second, clients[1])).rejects.toMatchObject({ code: "40001" });
    await second.query("rollback");
    expect(await boundClients()).toEqual([clients[0]]);
  });
});
