import fc from "fast-check";
import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { billingMonth } from "#domain/billing/billing-month.ts";
import { usageMetrics } from "#domain/billing/usage-metric.ts";
import { asService, insertBilledClient, storeDay } from "../testing/billing.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { DB } from "../types.ts";
import { readPool } from "./credit-pool.ts";
import { bookCredit } from "./credits.ts";
import { draftInvoice, endInvoice, InvoiceRefused, issueInvoice } from "./invoice-issue.ts";
import { type Invoice, listInvoices, readInvoice } from "./invoices.ts";

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

let client: string;
beforeEach(async () => {
  client = await insertBilledClient(database.db);
});

const spend = (day: string, quantity: bigint, of = client) =>
  storeDay(service, of, { day, metric: "ai_spend", quantity });
const bought = (amountMicros: bigint, day: string) =>
  service
    .transaction()
    .execute((tx) =>
      bookCredit(tx, { clientId: client, kind: "purchase", reference: day, amountMicros, at: new Date(day) }),
    );
const draft = (month: string, of = client) => service.transaction().execute((tx) => draftInvoice(tx, of, month));
const issue = (id: string, at: string) => service.transaction().execute((tx) => issueInvoice(tx, id, new Date(at)));
const end = (id: string, outcome: "paid" | "void", at: string) =>
  service.transaction().execute((tx) => endInvoice(tx, id, outcome, new Date(at)));
const issued = async (month: string, at: string) => issue((await draft(month)).id, at);
const amounts = ({ lines }: Invoice) => lines.map(({ kind, amountMicros }) => [kind, amountMicros]);

test("an invoice has the flat fee by day and the usage by metric, and its total is their sum", async () => {
  const { db } = database;
  const billed = await insertBilledClient(db, { billing_plan: "basic", from: "2026-09-16", billed: true });
  await spend("2026-09-20", 1_234_567n, billed);
  await storeDay(service, billed, { day: "2026-09-21", metric: "container_uptime", quantity: 90n });
  await storeDay(service, billed, { day: "2026-09-22", metric: "container_uptime", quantity: 90n });
  const invoice = await draft("2026-09", billed);
  expect(invoice).toMatchObject({
    clientId: billed,
    periodStart: "2026-09-01",
    periodEnd: "2026-10-01",
    currency: "USD",
    status: "draft",
    totalMicros: 15_735_567n,
    issuedAt: null,
    endedAt: null,
  });
  expect(amounts(invoice)).toEqual([
    ["flat_fee", 14_500_000n],
    ["usage", 1_234_567n],
    ["usage", 1_000n],
  ]);
  expect(invoice.lines[2]).toMatchObject({
    description: "container_uptime on plan basic",
    plan: "basic",
    metric: "container_uptime",
    quantity: 180n,
    unitPriceMicros: 20_000n,
    perUnits: 3600n,
  });
});

test("a second draft updates the same row; an issued invoice stays unchanged", async () => {
  await spend("2026-09-20", 100n);
  const first = await draft("2026-09");
  await spend("2026-09-21", 20n);
  const again = await draft("2026-09");
  expect([again.id, again.totalMicros]).toEqual([first.id, 120n]);
  await spend("2026-09-22", 3n);
  const invoice = await issue(first.id, "2026-10-01T00:00:00Z");
  expect(invoice).toMatchObject({ status: "issued", totalMicros: 123n, issuedAt: new Date("2026-10-01") });
  await spend("2026-09-23", 4n);
  await expect(draft("2026-09")).rejects.toThrow("the invoice of 2026-09 is issued");
  await expect(issue(first.id, "2026-10-02")).rejects.toThrow("an invoice that is issued cannot become issued");
  expect(await readInvoice(service, first.id)).toEqual(invoice);
});

test("a lost invoice is drafted with the same id, and the replacement of a void one with another", async () => {
  const lost = await issued("2026-09", "2026-10-01");
  await sql`delete from tenantry.invoices where id = ${lost.id}`.execute(database.db);
  const again = await issued("2026-09", "2026-10-02");
  expect(again.id).toBe(lost.id);
  const [next, others] = [await draft("2026-10"), await draft("2026-09", await insertBilledClient(database.db))];
  await end(again.id, "void", "2026-10-03");
  const second = await issued("2026-09", "2026-10-04");
  await end(second.id, "void", "2026-10-05");
  const third = await draft("2026-09");
  expect(new Set([lost, next, others, second, third].map(({ id }) => id)).size).toBe(5);
});

test("an invoice can be reproduced from the usage, and charges what the ledger has", async () => {
  const usage = fc.uniqueArray(
    fc.record({
      day: fc.constantFrom(...billingMonth("2026-02").days),
      metric: fc.constantFrom(...usageMetrics),
      quantity: fc.bigInt(0n, 10n ** 11n),
    }),
    { selector: ({ day, metric }) => `${day} ${metric}`, maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(usage, async (used) => {
      const [one, two] = [await insertBilledClient(database.db), await insertBilledClient(database.db)];
      for (const day of used) await storeDay(service, one, day);
      for (const day of used.toReversed()) await storeDay(service, two, day);
      const [first, other] = [await draft("2026-02", one), await draft("2026-02", two)];
      expect(await draft("2026-02", one)).toEqual(first);
      expect(other.lines).toEqual(first.lines);
      expect(first.totalMicros).toBe(first.lines.reduce((sum, { amountMicros }) => sum + amountMicros, 0n));
      expect(first.totalMicros).toBe((await readPool(service, one))?.consumedMicros ?? 0n);
    }),
    { numRuns: 8 },
  );
});

describe("credit", () => {
  test("pays usage with purchases before the month's end; the rest is booked when the invoice is paid", async () => {
    await bought(80n, "2026-09-10");
    await spend("2026-09-20", 100n);
    await bought(500n, "2026-10-01");
    const september = await issued("2026-09", "2026-10-01");
    expect(amounts(september)).toEqual([
      ["usage", 100n],
      ["credit", -80n],
    ]);
    expect(september.totalMicros).toBe(20n);
    await end(september.id, "paid", "2026-10-05");
    expect((await readPool(service, client))?.balanceMicros).toBe(500n);
    await spend("2026-10-20", 600n);
    const october = await issued("2026-10", "2026-11-01");
    expect(amounts(october)).toEqual([
      ["usage", 600n],
      ["credit", -500n],
    ]);
    await end(october.id, "paid", "2026-11-05");
    expect((await readPool(service, client))?.balanceMicros).toBe(0n);
  });

  test("a late point of an issued month is on the next invoice, even if it is negative", async () => {
    await spend("2026-09-20", 100n);
    await issued("2026-09", "2026-10-01");
    await spend("2026-10-20", 50n);
    await storeDay(service, client, { day: "2026-09-20", metric: "ai_spend", quantity: 130n }, new Date("2026-10-21"));
    expect(amounts(await draft("2026-10"))).toEqual([
      ["usage", 50n],
      ["carried", 30n],
    ]);
    await storeDay(service, client, { day: "2026-09-20", metric: "ai_spend", quantity: 90n }, new Date("2026-10-22"));
    const october = await issued("2026-10", "2026-11-01");
    expect(amounts(october)).toEqual([
      ["usage", 50n],
      ["carried", -10n],
    ]);
    await spend("2026-11-20", 1n);
    expect(amounts(await draft("2026-11"))).toEqual([["usage", 1n]]);
  });

  test("a negative invoice corrects an overpayment", async () => {
    await spend("2026-09-20", 100n);
    await end((await issued("2026-09", "2026-10-01")).id, "paid", "2026-10-02");
    await storeDay(service, client, { day: "2026-09-20", metric: "ai_spend", quantity: 60n }, new Date("2026-10-21"));
    const october = await issued("2026-10", "2026-11-01");
    expect(october.totalMicros).toBe(-40n);
    await end(october.id, "paid", "2026-11-02");
    expect((await readPool(service, client))?.balanceMicros).toBe(0n);
  });
});

describe("refused is", () => {
  test("issuing a month that has not ended, or before an earlier draft", async () => {
    const september = await draft("2026-09");
    const october = await draft("2026-10");
    await expect(issue(september.id, "2026-09-30T23:59:59Z")).rejects.toThrow("its month ends on 2026-10-01");
    await expect(issue(october.id, "2026-11-01")).rejects.toThrow(
      "an earlier invoice of this client is a draft; issue it first",
    );
    await issue(september.id, "2026-11-01");
    await issue(october.id, "2026-11-01");
    await expect(draft("2026-08")).rejects.toThrow(InvoiceRefused);
  });

  test("every change of an issued invoice, and every other transition", async () => {
    await spend("2026-09-20", 100n);
    const { id } = await draft("2026-09");
    await expect(end(id, "paid", "2026-10-02")).rejects.toThrow("an invoice that is draft cannot become paid");
    const row = service.updateTable("tenantry.invoices").where("id", "=", id);
    const paid = row.set({ status: "paid", issued_at: new Date(), ended_at: new Date() });
    await expect(paid.execute()).rejects.toMatchObject({ code: "TN003" });
    await issue(id, "2026-10-01");
    await expect(row.set({ total_micros: 1 }).execute()).rejects.toMatchObject({ code: "TN007" });
    await expect(row.set({ status: "draft", issued_at: null }).execute()).rejects.toMatchObject({ code: "TN003" });
    const lines = sql`update tenantry.invoice_line_items set amount_micros = 1 where invoice_id = ${id}`;
    await expect(lines.execute(service)).rejects.toMatchObject({ code: "TN007" });
    const removed = service.deleteFrom("tenantry.invoices").where("id", "=", id);
    await expect(removed.execute()).rejects.toMatchObject({ code: "TN007" });
    await end(id, "void", "2026-10-02");
    await expect(end(id, "paid", "2026-10-03")).rejects.toThrow("an invoice that is void cannot become paid");
    // The database's owner can correct data.
    await database.db.deleteFrom("tenantry.invoices").where("id", "=", id).execute();
  });
});

test("a void invoice is replaced by another of its month, or its usage is on the next", async () => {
  await spend("2026-09-20", 100n);
  await end((await issued("2026-09", "2026-10-01")).id, "void", "2026-10-02");
  const again = await issued("2026-09", "2026-10-03");
  expect(again.totalMicros).toBe(100n);
  await end(again.id, "void", "2026-10-04");
  await spend("2026-10-20", 1n);
  expect(amounts(await draft("2026-10"))).toEqual([
    ["usage", 1n],
    ["carried", 100n],
  ]);
  const listed = await listInvoices(service, { clientId: client });
  expect(listed.map(({ periodStart, status }) => [periodStart, status])).toEqual([
    ["2026-10-01", "draft"],
    ["2026-09-01", "void"],
    ["2026-09-01", "void"],
  ]);
  const page = await listInvoices(service, { clientId: client, limit: 1 });
  const [before] = page;
  expect(await listInvoices(service, { clientId: client, ...(before === undefined ? {} : { before }) })).toEqual(
    listed.slice(1),
  );
});

test("concurrent drafts of a month give one invoice", async () => {
  await spend("2026-09-20", 100n);
  let second: Promise<Invoice> | undefined;
  const first = await service.transaction().execute(async (tx) => {
    const made = await draftInvoice(tx, client, "2026-09");
    second = draft("2026-09");
    await vi.waitFor(
      async () => {
        const waiting = await database.pool.query(
          "select from pg_stat_activity where usename = 'tenantry_service' and wait_event_type = 'Lock'",
        );
        expect(waiting.rows).toHaveLength(1);
      },
      { timeout: 20_000, interval: 10 },
    );
    return made;
  });
  expect(await second).toEqual(first);
});

test("queues an event for each status of an invoice", async () => {
  const { id } = await issued("2026-09", "2026-10-01");
  await end(id, "paid", "2026-10-02");
  const rows = await database.db
    .selectFrom("tenantry.events")
    .select(["kind", "data"])
    .where("client_id", "=", client)
    .orderBy("id")
    .execute();
  expect(rows).toEqual(["issued", "paid"].map((what) => ({ kind: `invoice.${what}`, data: { id, month: "2026-09" } })));
});
