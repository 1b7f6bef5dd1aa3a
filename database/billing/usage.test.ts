import { type Kysely, sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { asService, insertBilledClient, storeDay, sumsOf } from "../testing/billing.ts";
import { insertInstance } from "../testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { DB } from "../types.ts";
import { requestJob } from "../work/job-request.ts";
import { endJob } from "../work/jobs.ts";
import { readPool } from "./credit-pool.ts";
import { bookCredit, listCreditEntries } from "./credits.ts";
import { setPrice } from "./prices.ts";
import { tariffsOf } from "./tariffs.ts";
import { listUsage, storeUsage } from "./usage.ts";

let database: TestDatabase;
let service: Kysely<DB>;
beforeAll(async () => {
  database = await startTestDatabase();
  service = asService(database);
});
afterAll(async () => {
  await service.destroy();
  await database.stop();
});

const spend = (quantity: bigint, day = "2026-11-10") => ({ day, metric: "ai_spend", quantity }) as const;
const asked = (time: string) => new Date(`2026-11-11T${time}Z`);

async function ledger(client: string) {
  const entries = await listCreditEntries(service, client);
  return entries.map(({ kind, amountMicros, day }) => [kind, amountMicros, day]).toReversed();
}

test("a day's usage is stored and booked once, even if it is sent again", async () => {
  const client = await insertBilledClient(database.db);
  expect(await storeDay(service, client, spend(700n), asked("00:10:00"))).toEqual([client]);
  expect(await storeDay(service, client, spend(700n), asked("00:10:00"))).toEqual([]);
  expect(await storeDay(service, client, spend(700n), asked("00:20:00"))).toEqual([]);
  expect(await ledger(client)).toEqual([["consumption", -700n, "2026-11-10"]]);
  expect(await listUsage(service, client, "2026-11-01", "2026-11-30")).toEqual([spend(700n)]);
});

test("a late point corrects the day and the ledger by the difference, and an older response changes nothing", async () => {
  const client = await insertBilledClient(database.db);
  await storeDay(service, client, spend(700n), asked("00:10:00"));
  await storeDay(service, client, spend(750n), asked("01:10:00"));
  await storeDay(service, client, spend(700n), asked("00:10:00"));
  await storeDay(service, client, spend(740n), asked("02:10:00"));
  // Another metric of the day, without the first, which stays unchanged.
  await storeDay(service, client, { day: "2026-11-10", metric: "ai_queries", quantity: 1000n }, asked("03:10:00"));
  expect(await ledger(client)).toEqual([
    ["consumption", -700n, "2026-11-10"],
    ["correction", -50n, "2026-11-10"],
    ["correction", 10n, "2026-11-10"],
    ["correction", -100_000n, "2026-11-10"],
  ]);
  expect(await sumsOf(database.db, client)).toEqual({ pool: -100_740n, entries: -100_740n });
});

test("a day without cost books nothing until it has some", async () => {
  const client = await insertBilledClient(database.db);
  await storeDay(service, client, { day: "2026-11-10", metric: "container_activity", quantity: 60n });
  expect(await ledger(client)).toEqual([]);
  await storeDay(service, client, spend(1n));
  expect(await ledger(client)).toEqual([["consumption", -1n, "2026-11-10"]]);
});

test("a day is priced by the plan and the price list of that day", async () => {
  const { db } = database;
  const client = await insertBilledClient(db, { billing_plan: "free" });
  await db
    .insertInto("tenantry.client_plans")
    .values({ client_id: client, valid_from: "2026-11-12", plan: "basic", billed: true })
    .execute();
  await db.transaction().execute((tx) =>
    setPrice(tx, "production", {
      plan: "basic",
      metric: "websocket_sessions",
      micros: 5n,
      perUnits: 1n,
      validFrom: "2026-11-13",
    }),
  );
  for (const day of ["2026-11-11", "2026-11-12", "2026-11-13"]) {
    await storeDay(service, client, { day, metric: "websocket_sessions", quantity: 150n });
  }
  expect(await ledger(client)).toEqual([
    ["consumption", -1500n, "2026-11-12"],
    ["consumption", -750n, "2026-11-13"],
  ]);
});

test("the plan of a day follows the client's row: the last one, and those earlier that day", async () => {
  const { db } = database;
  const client = await insertBilledClient(db, { billing_plan: "free", status: "draft", from: "2026-11-01" });
  const set = (values: object) => db.updateTable("tenantry.clients").set(values).where("id", "=", client).execute();
  await set({ billing_plan: "basic" });
  await set({ billing_plan: "pro", status: "active" });
  const spans = () =>
    db
      .selectFrom("tenantry.client_plans")
      .select(["plan", "billed", "also", sql<boolean>`valid_from = (now() at time zone 'utc')::date`.as("today")])
      .where("client_id", "=", client)
      .orderBy("valid_from")
      .execute();
  expect(await spans()).toEqual([
    { plan: "free", billed: false, also: [], today: false },
    { plan: "pro", billed: true, also: [], today: true },
  ]);
  await set({ billing_plan: "basic" });
  await set({ status: "draft" });
  expect((await spans())[1]).toMatchObject({ plan: "basic", billed: false, also: ["pro", "basic"] });
  await set({ status: "active" });
  await set({ delete_after: new Date() });
  expect((await spans())[1]).toMatchObject({ billed: false, also: ["pro", "basic"] });
});

test("a plan that is left before the day ends is billed, and one that a failed job did not apply is not", async () => {
  const { db } = database;
  const client = await insertBilledClient(db, { billing_plan: "enterprise", billed: true });
  const set = (values: object) => db.updateTable("tenantry.clients").set(values).where("id", "=", client).execute();
  const today = () => tariffsOf(db, [client]).then((tariffs) => tariffs.get(client)?.plans.at(-1));
  // The plan of the day before also counts for this day.
  await set({ billing_plan: "free" });
  expect(await today()).toMatchObject({ plan: "free", billed: true, also: ["enterprise"] });

  const other = await insertBilledClient(db, { billing_plan: "basic", billed: true });
  const instanceId = await insertInstance(db, other);
  const about = { clientId: other, instanceId, slug: "other", requestedBy: "root@platform.test" };
  await db.updateTable("tenantry.clients").set({ billing_plan: "pro" }).where("id", "=", other).execute();
  const payload = { from: "basic", to: "pro" };
  const job = await requestJob(db, { ...about, kind: "change_plan", payload, environment: "production" });
  await endJob(db, job, "failed", "It failed.");
  const put = (await tariffsOf(db, [other])).get(other)?.plans.at(-1);
  expect(put).toMatchObject({ plan: "basic", billed: true, also: ["basic"] });
});

/** Resolves when a connection waits for another one's lock. */
async function somebodyWaits(): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await database.pool.query(
        "select from pg_stat_activity where usename = 'tenantry_service' and wait_event_type = 'Lock'",
      );
      expect(rows).toHaveLength(1);
    },
    { timeout: 20_000, interval: 10 },
  );
}

test.each(["known", "new"])(
  "two services that roll up the same day at once book it once: a client whose pool is %s",
  async (which) => {
    const client = await insertBilledClient(database.db);
    if (which === "known") await storeDay(service, client, spend(1n, "2026-11-09"));
    const rollup = { day: "2026-11-10", usage: [{ clientId: client, ...spend(700n) }], unknown: [] };
    let second: Promise<string[]> | undefined;
    const first = await service.transaction().execute(async (tx) => {
      const changed = await storeUsage(tx, rollup, asked("00:10:00"));
      // The second does not see the first's changes, and must not act on that.
      second = storeDay(service, client, spend(705n), asked("00:11:00"));
      await somebodyWaits();
      return changed;
    });
    expect(first).toEqual([client]);
    expect(await second).toEqual([client]);
    expect((await ledger(client)).filter(([, , day]) => day === "2026-11-10")).toEqual([
      ["consumption", -700n, "2026-11-10"],
      ["correction", -5n, "2026-11-10"],
    ]);
    const sums = await sumsOf(database.db, client);
    expect(sums.pool).toBe(sums.entries);
  },
);

test("a waiting transaction books the usage itself when the first one fails", async () => {
  const client = await insertBilledClient(database.db);
  let second: Promise<string[]> | undefined;
  const rollup = { day: "2026-11-10", usage: [{ clientId: client, ...spend(700n) }], unknown: [] };
  const lost = service.transaction().execute(async (tx) => {
    await storeUsage(tx, rollup, asked("00:10:00"));
    second = storeDay(service, client, spend(700n), asked("00:10:00"));
    await somebodyWaits();
    throw new Error("its machine failed");
  });
  await expect(lost).rejects.toThrow("its machine failed");
  expect(await second).toEqual([client]);
  expect(await ledger(client)).toEqual([["consumption", -700n, "2026-11-10"]]);
});

test("concurrent consumption and top-up are both in the pool", async () => {
  const client = await insertBilledClient(database.db);
  const bought = { clientId: client, kind: "purchase", reference: "order-1", at: asked("00:10:00") } as const;
  let second: Promise<string[]> | undefined;
  await service.transaction().execute(async (tx) => {
    await bookCredit(tx, { ...bought, amountMicros: 50_000_000n });
    second = storeDay(service, client, spend(700n));
    await somebodyWaits();
  });
  await second;
  expect(await readPool(service, client)).toMatchObject({ purchasedMicros: 50_000_000n, consumedMicros: 700n });
});

test("entries that are booked without the lock are in the pool too", async () => {
  const client = await insertBilledClient(database.db);
  const [one, two] = [new pg.Client(database.urlOf("service")), new pg.Client(database.urlOf("service"))];
  await Promise.all([one.connect(), two.connect()]);
  const add = (connection: pg.Client, amount: number) =>
    connection.query(
      "insert into tenantry.credit_entries (client_id, kind, amount_micros) values ($1, 'purchase', $2)",
      [client, amount],
    );
  try {
    await one.query("begin");
    await add(one, 3);
    const waiting = add(two, 4);
    await somebodyWaits();
    await one.query("commit");
    await waiting;
  } finally {
    await Promise.all([one.end(), two.end()]);
  }
  expect(await sumsOf(database.db, client)).toEqual({ pool: 7n, entries: 7n });
});
