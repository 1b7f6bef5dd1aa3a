import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { beginDeletion, cancelDeletion } from "../tenants/deletion/deletion.ts";
import { freezeInstance } from "../tenants/freezing.ts";
import { asService, insertBilledClient, storeDay } from "../testing/billing.ts";
import { insertClientUser, insertInstance } from "../testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { DB } from "../types.ts";
import { readPool } from "./credit-pool.ts";
import { advanceCreditStates } from "./credit-steps.ts";
import { bookCredit, setCreditSettings } from "./credits.ts";

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

const START = new Date("2026-11-10T23:59:59Z");
const day = (days: number) => new Date(START.getTime() + days * 86_400_000);

let client: string;
let instance: string;
let purchases = 0;
beforeEach(async () => {
  const { db } = database;
  client = await insertBilledClient(db, { name: "Acme Corporation" });
  instance = await insertInstance(db, client);
  await insertClientUser(db, { client_id: client, email: "ada@acme.example", status: "validated" });
  await insertClientUser(db, { client_id: client, email: "invited@acme.example" });
  await insertClientUser(db, { client_id: client, email: "base@acme.example", status: "validated", role: "BASE_USER" });
  await topUp(20_000_000n);
});

function topUp(amountMicros: bigint, at = START) {
  const booking = { clientId: client, kind: "purchase", reference: `order-${++purchases}`, amountMicros, at } as const;
  return service.transaction().execute((tx) => bookCredit(tx, booking));
}
const use = (quantity: bigint) => storeDay(service, client, { day: "2026-11-10", metric: "ai_spend", quantity }, START);
const sweep = async (at: Date) => {
  const { steps } = await service.transaction().execute((tx) => advanceCreditStates(tx, { at }));
  return steps.filter(({ clientId }) => clientId === client).map(({ step }) => (step === "delete" ? step : step.to));
};
const state = async () => (await readPool(service, client))?.state;
const jobs = () =>
  database.db
    .selectFrom("tenantry.jobs")
    .select(["kind", "status", "generation", "instance_id", "requested_by"])
    .where("client_id", "=", client)
    .orderBy("created_at")
    .execute();
/** Rows of the client and its instance. */
const row = async () => {
  const { rows } = await database.pool.query<{ status: string; generation: string; cause: string; deleteAfter: Date }>(
    `select i.status, i.generation, i.state_cause as cause, c.delete_after as "deleteAfter"
     from tenantry.clients c join tenantry.instances i on i.client_id = c.id where c.id = $1`,
    [client],
  );
  return rows[0] ?? { status: "", generation: "", cause: "", deleteAfter: undefined };
};
const kinds = async () => (await jobs()).map(({ kind }) => kind);
const mails = () =>
  database.db
    .selectFrom("tenantry.mails")
    .select(["kind", "recipient", "data"])
    .where("client_id", "=", client)
    .orderBy("created_at")
    .execute();
const events = async () =>
  (
    await database.db
      .selectFrom("tenantry.events")
      .select("kind")
      .where("client_id", "=", client)
      .where("kind", "like", "credit.%")
      .orderBy("id")
      .execute()
  ).map(({ kind }) => kind);
const backUp = (status: string) =>
  database.db
    .updateTable("tenantry.jobs")
    .set({ status, ended_at: new Date() })
    .where("client_id", "=", client)
    .where("kind", "=", "final_backup")
    .execute();
const askForDeletion = (deleteWhenExhausted: boolean) =>
  service.transaction().execute((tx) => setCreditSettings(tx, client, { deleteWhenExhausted }, START));

test("credit that runs out passes through every state, each with a mail, an event and a job", async () => {
  await use(12_000_000n);
  expect(await state()).toBe("warn");
  await use(21_000_000n);
  expect(await state()).toBe("grace");
  expect(await sweep(day(6.9))).toEqual([]);
  expect(await sweep(day(7))).toEqual(["frozen"]);
  expect(await sweep(day(7))).toEqual([]);
  await askForDeletion(true);
  expect(await sweep(day(37))).toEqual(["final_backup"]);
  // Without a backup nothing is deleted.
  expect(await sweep(day(100))).toEqual([]);
  await backUp("failed");
  expect(await sweep(day(100))).toEqual([]);
  await backUp("succeeded");
  expect(await sweep(day(101))).toEqual(["deletion_due"]);
  expect(await sweep(day(114.9))).toEqual([]);
  expect(await sweep(day(115))).toEqual(["delete"]);
  expect(await sweep(day(1000))).toEqual([]);

  expect(await events()).toEqual(
    ["warn", "grace", "frozen", "final_backup", "deletion_due"].map((one) => `credit.${one}`),
  );
  expect((await mails()).map(({ kind, recipient }) => [kind, recipient])).toEqual(
    ["credit_warning", "credit_grace", "credit_frozen", "credit_final_backup", "credit_deletion"].map((kind) => [
      kind,
      "ada@acme.example",
    ]),
  );
  const { slug } = (await readPool(service, client)) ?? {};
  expect((await mails())[1]?.data).toEqual({
    client: "Acme Corporation",
    slug,
    balance_micros: -1_000_000,
    deadline: day(7).toISOString(),
  });
  expect(
    (await jobs()).map(({ kind, generation, instance_id, requested_by }) => [
      kind,
      generation,
      instance_id,
      requested_by,
    ]),
  ).toEqual(["freeze", "final_backup"].map((kind) => [kind, "2", instance, "credit"]));
  // From here the client is deleted like one that a root deletes.
  expect((await row()).deleteAfter).toEqual(day(115));
});

test("ends at the final backup without the setting", async () => {
  await use(20_000_000n);
  await sweep(day(7));
  await sweep(day(37));
  await backUp("succeeded");
  expect(await sweep(day(10_000))).toEqual([]);
  expect(await state()).toBe("final_backup");
  expect(await kinds()).toEqual(["freeze", "final_backup"]);
});

describe("a top-up", () => {
  test("resumes a frozen tenant, and all steps repeat the next time", async () => {
    await use(20_000_000n);
    await sweep(day(7));
    expect(await row()).toMatchObject({ status: "frozen", generation: "2", cause: "Its credit is used up." });
    await topUp(5_000_000n, day(8));
    expect(await state()).toBe("warn");
    expect(await kinds()).toEqual(["freeze", "resume"]);
    expect(await row()).toMatchObject({ status: "running", generation: "3", cause: null });
    await topUp(5_000_000n, day(8));
    expect(await state()).toBe("ok");
    await use(30_000_000n);
    expect(await state()).toBe("grace");
    expect((await readPool(service, client))?.deadline).toEqual(day(7));
    expect(await kinds()).toEqual(["freeze", "resume"]);
  });

  test("and a concurrent freeze do not wait for each other", async () => {
    await use(20_000_000n);
    await sweep(day(7));
    const of = { clientId: client, slug: "acme", environment: "production" };
    const waiting = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    let paid: Promise<unknown> = Promise.resolve();
    await database.db.transaction().execute(async (tx) => {
      await tx.selectFrom("tenantry.clients").select("id").where("id", "=", client).forUpdate().execute();
      paid = topUp(50_000_000n, day(8));
      await expect.poll(async () => (await database.pool.query(waiting)).rowCount).toBe(1);
      await freezeInstance(tx, of, { cause: "asked", why: "unpaid", requestedBy: "root@tenantry.example" });
    });
    await paid;
    expect([await state(), (await row()).status]).toEqual(["ok", "running"]);
  });

  test("that does not cover the debt changes nothing", async () => {
    await use(25_000_000n);
    await sweep(day(7));
    await topUp(5_000_000n, day(8));
    expect(await state()).toBe("frozen");
  });

  test("cancels a due deletion, whose backup is not used for the next one", async () => {
    await askForDeletion(true);
    await use(20_000_000n);
    for (const days of [7, 37]) await sweep(day(days));
    await backUp("succeeded");
    expect(await sweep(day(44))).toEqual(["deletion_due"]);
    await topUp(50_000_000n, day(45));
    expect([await state(), await kinds()]).toEqual(["ok", ["freeze", "final_backup", "resume"]]);
    await use(70_000_000n);
    for (const days of [100, 200]) await sweep(day(days));
    expect(await sweep(day(300))).toEqual([]);
    expect(await state()).toBe("final_backup");
  });

  test("is booked without effect once the deletion was requested", async () => {
    await askForDeletion(true);
    await use(20_000_000n);
    for (const days of [7, 37]) await sweep(day(days));
    await backUp("succeeded");
    for (const days of [44, 58]) await sweep(day(days));
    await topUp(50_000_000n, day(59));
    expect(await readPool(service, client)).toMatchObject({
      state: "deletion_due",
      deletionRequested: true,
      balanceMicros: 50_000_000n,
    });
  });

  test("does not resume an instance that was frozen for another reason", async () => {
    await database.db.updateTable("tenantry.instances").set({ status: "frozen" }).where("id", "=", instance).execute();
    await use(20_000_000n);
    await sweep(day(7));
    await topUp(50_000_000n, day(8));
    expect(await kinds()).toEqual([]);
    expect((await row()).status).toBe("frozen");
  });

  test("does not resume a client with a requested deletion; its cancellation does if there is credit", async () => {
    const requestedBy = "root@tenantry.example";
    const of = { clientId: client, slug: "acme", environment: "production" };
    const begin = () =>
      database.db.transaction().execute((tx) => beginDeletion(tx, of, { deleteAfter: day(365), requestedBy }));
    const takeBack = () =>
      database.db.transaction().execute((tx) => cancelDeletion(tx, of, { requestedBy, takesBackRemoval: true }));
    await use(20_000_000n);
    await sweep(day(7));
    await begin();
    await topUp(5_000_000n, day(8));
    expect([await state(), (await row()).status]).toEqual(["warn", "frozen"]);
    await takeBack();
    expect((await row()).status).toBe("running");

    // Credit that is used up meanwhile keeps it frozen, and new credit resumes it.
    await begin();
    await use(30_000_000n);
    for (const days of [15, 22]) await sweep(day(days));
    expect(await state()).toBe("frozen");
    await takeBack();
    expect(await row()).toMatchObject({ status: "frozen", cause: "Its credit is used up.", deleteAfter: null });
    await topUp(50_000_000n, day(23));
    expect((await row()).status).toBe("running");
  });
});

test("clearing the setting cancels a due deletion", async () => {
  await askForDeletion(true);
  await use(20_000_000n);
  for (const days of [7, 37]) await sweep(day(days));
  await backUp("succeeded");
  await sweep(day(44));
  await askForDeletion(false);
  expect(await state()).toBe("final_backup");
  expect(await sweep(day(1000))).toEqual([]);
});

test("does not stop a client that never bought credit, and requests no job without an instance", async () => {
  const other = await insertBilledClient(database.db);
  await storeDay(service, other, { day: "2026-11-10", metric: "ai_spend", quantity: 5n }, START);
  expect(await readPool(service, other)).toMatchObject({ balanceMicros: -5n, state: "ok" });
  await service
    .transaction()
    .execute((tx) => setCreditSettings(tx, other, { prepaid: true, deleteWhenExhausted: true }, START));
  for (const days of [7, 37, 44, 58])
    await service.transaction().execute((tx) => advanceCreditStates(tx, { at: day(days) }));
  const made = await database.db.selectFrom("tenantry.jobs").select("kind").where("client_id", "=", other).execute();
  expect(made).toEqual([]);
  expect(await readPool(service, other)).toMatchObject({ isToBeDeleted: true, deletionRequested: true });
});

test("sweeps page by page, and skips a pool that another transaction locks", async () => {
  const others = [await insertBilledClient(database.db), await insertBilledClient(database.db)];
  await use(20_000_000n);
  for (const other of others) {
    await service
      .transaction()
      .execute((tx) => setCreditSettings(tx, other, { prepaid: true, deleteWhenExhausted: false }, START));
  }
  const swept: string[] = [];
  await database.db.transaction().execute(async (holder) => {
    await sql`select from tenantry.credit_pools where client_id = ${others[0]} for update`.execute(holder);
    let after: string | undefined;
    do {
      const options = { at: day(7), limit: 1, ...(after === undefined ? {} : { after }) };
      const page = await service.transaction().execute((tx) => advanceCreditStates(tx, options));
      swept.push(...page.steps.map(({ clientId }) => clientId));
      after = page.last;
    } while (after !== undefined);
  });
  expect(swept).toContain(client);
  expect(swept).toContain(others[1]);
  expect(swept).not.toContain(others[0]);
});

test("finds the pools of a sweep by indexes", async () => {
  const plan = await database.db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx);
    const { rows } = await sql<Record<"QUERY PLAN", string>>`
      explain select client_id from tenantry.credit_pools
      where deletion_requested_at is null and (
        tenantry.credit_level(prepaid, lifetime_purchased - lifetime_consumed, warn_below_micros)
          <> case when state in ('ok', 'warn') then state else 'used_up' end
        or (state_deadline is not null and state_deadline <= now())
        or (state = 'deletion_due' and not delete_when_exhausted))`.execute(tx);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
  expect(plan).toContain("credit_pools_unsettled");
  expect(plan).toContain("credit_pools_deadline");
});
