import fc from "fast-check";
import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { creditLevel, creditStates } from "#domain/billing/credit-state.ts";
import { asService, insertBilledClient, storeDay, sumsOf } from "../testing/billing.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { DB } from "../types.ts";
import { readPool } from "./credit-pool.ts";
import { type Booking, bookCredit, listCreditEntries, ReferenceTaken, setCreditSettings } from "./credits.ts";

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

const at = new Date("2026-11-10T00:00:00Z");
const book = (clientId: string, amountMicros: bigint, reference: string, kind: Booking["kind"] = "purchase") =>
  service.transaction().execute((tx) => bookCredit(tx, { clientId, amountMicros, reference, kind, at }));

test("books a top-up once per reference, and refuses another one with the same reference", async () => {
  const client = await insertBilledClient(database.db);
  const first = await book(client, 5_000_000n, "order-1");
  expect(first).toMatchObject({
    kind: "purchase",
    amountMicros: 5_000_000n,
    day: null,
    reference: "order-1",
    bookedAt: at,
  });
  expect(await book(client, 5_000_000n, "order-1")).toEqual(first);
  await expect(book(client, 6_000_000n, "order-1")).rejects.toThrow(ReferenceTaken);
  await expect(book(client, 5_000_000n, "order-1", "correction")).rejects.toThrow("order-1 is already booked");
  expect(await readPool(service, client)).toMatchObject({ purchasedMicros: 5_000_000n, prepaid: true });
});

test("a payment and a correction do not make a client prepaid, and a correction can reduce credit", async () => {
  const client = await insertBilledClient(database.db);
  await book(client, 7n, "invoice:1", "payment");
  await book(client, -3n, "oversight", "correction");
  expect(await readPool(service, client)).toMatchObject({
    purchasedMicros: 7n,
    consumedMicros: 3n,
    balanceMicros: 4n,
    prepaid: false,
    state: "ok",
  });
});

test("lists the ledger newest first, in pages", async () => {
  const client = await insertBilledClient(database.db);
  for (const index of [1n, 2n, 3n, 4n, 5n]) await book(client, index, `order-${index}`);
  const seen: bigint[] = [];
  let before: Awaited<ReturnType<typeof book>> | undefined;
  do {
    const page = await listCreditEntries(service, client, { limit: 2, ...(before === undefined ? {} : { before }) });
    seen.push(...page.map(({ amountMicros }) => amountMicros));
    before = page.at(-1);
  } while (before !== undefined);
  expect(seen.toSorted()).toEqual([1n, 2n, 3n, 4n, 5n]);
});

test("keeps a pool's sums equal to its entries for any bookings", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.bigInt(-1000n, 1000n), { maxLength: 12 }), async (amounts) => {
      const client = await insertBilledClient(database.db);
      for (const [index, amount] of amounts.filter((one) => one !== 0n).entries()) {
        await book(client, amount, String(index), "correction");
      }
      const { pool, entries } = await sumsOf(database.db, client);
      expect([pool, entries]).toEqual([entries, amounts.reduce((sum, amount) => sum + amount, 0n)]);
    }),
    { numRuns: 10 },
  );
});

describe("the database refuses", () => {
  test("changes, deletes and truncation of the ledger by any caller; it outlives its client", async () => {
    const { db } = database;
    const client = await insertBilledClient(db);
    await book(client, 5n, "order-1");
    const refused = { code: "TN007" };
    await expect(sql`update tenantry.credit_entries set note = 'x'`.execute(db)).rejects.toMatchObject(refused);
    await expect(sql`delete from tenantry.credit_entries`.execute(db)).rejects.toMatchObject(refused);
    await expect(sql`truncate tenantry.credit_entries`.execute(db)).rejects.toMatchObject(refused);
    await storeDay(service, client, { day: "2026-11-09", metric: "ai_spend", quantity: 1n });
    await db.transaction().execute(async (tx) => {
      await sql`set local role tenantry_provisioner`.execute(tx);
      await tx.deleteFrom("tenantry.clients").where("id", "=", client).execute();
    });
    expect(new Set((await listCreditEntries(db, client)).map(({ amountMicros }) => amountMicros))).toEqual(
      new Set([5n, -1n]),
    );
  });

  test("changes of a pool's sums except by its entries", async () => {
    const client = await insertBilledClient(database.db);
    await book(client, 5n, "order-1");
    const pools = service.updateTable("tenantry.credit_pools").where("client_id", "=", client);
    await expect(pools.set({ lifetime_purchased: 6 }).execute()).rejects.toMatchObject({ code: "TN007" });
    await expect(pools.set({ lifetime_consumed: 6 }).execute()).rejects.toMatchObject({ code: "TN007" });
    const other = await insertBilledClient(database.db);
    const made = service.insertInto("tenantry.credit_pools").values({ client_id: other, lifetime_purchased: 6 });
    await expect(made.execute()).rejects.toMatchObject({ code: "TN007" });
  });

  test("every step that the state machine lacks, and each before its deadline", async () => {
    const client = await insertBilledClient(database.db);
    await book(client, 5n, "order-1");
    await book(client, -5n, "all of it", "correction");
    const allowed: string[] = [];
    for (const from of creditStates) {
      for (const to of creditStates.filter((one) => one !== from)) {
        for (const late of [false, true]) {
          const deadline = new Date("2026-11-20T00:00:00Z");
          const timed = (state: string) => (state === "ok" || state === "warn" ? null : deadline);
          const answer = await database.db.transaction().execute(async (tx) => {
            await sql`alter table tenantry.credit_pools disable trigger check_state`.execute(tx);
            const own = tx.updateTable("tenantry.credit_pools").where("client_id", "=", client);
            await own.set({ state: from, state_deadline: timed(from), delete_when_exhausted: true }).execute();
            await sql`alter table tenantry.credit_pools enable trigger check_state`.execute(tx);
            await sql`savepoint step`.execute(tx);
            const since = late ? deadline : new Date("2026-11-19T23:59:59Z");
            const step = own.set({ state: to, state_deadline: timed(to), state_since: since }).execute();
            const result = await step.then(
              () => "allowed",
              (error: { code?: string }) => error.code,
            );
            await sql`rollback to step`.execute(tx);
            return result;
          });
          if (answer === "allowed") allowed.push(`${from} → ${to}${late ? "" : " early"}`);
          else expect(answer).toBe("TN003");
        }
      }
    }
    expect(allowed).toEqual([
      "ok → grace early",
      "ok → grace",
      "warn → grace early",
      "warn → grace",
      "grace → frozen",
      "frozen → final_backup",
      "final_backup → deletion_due",
    ]);
  });
});

test("database and domain agree on the level of credit", async () => {
  const micros = fc.bigInt(-3n, 3n);
  await fc.assert(
    fc.asyncProperty(fc.boolean(), micros, micros, async (prepaid, balanceMicros, warnBelowMicros) => {
      const { rows } = await sql<{ level: string }>`
        select tenantry.credit_level(${prepaid}, ${balanceMicros}::bigint, ${warnBelowMicros}::bigint) as level`.execute(
        service,
      );
      expect(rows[0]?.level).toBe(creditLevel({ prepaid, balanceMicros, warnBelowMicros }));
    }),
  );
});

test("settings take effect at once, and omitted ones stay unchanged", async () => {
  const client = await insertBilledClient(database.db);
  await book(client, 20_000_000n, "order-1");
  const set = (settings: Parameters<typeof setCreditSettings>[2]) =>
    service.transaction().execute((tx) => setCreditSettings(tx, client, settings, at));
  await set({ warnBelowMicros: 25_000_000n });
  expect(await readPool(service, client)).toMatchObject({ state: "warn", deleteWhenExhausted: false, prepaid: true });
  await set({ prepaid: false, deleteWhenExhausted: true });
  expect(await readPool(service, client)).toMatchObject({
    state: "ok",
    warnBelowMicros: 25_000_000n,
    deleteWhenExhausted: true,
  });
  await set({});
});
