/** Credit, usage, invoices and prices over HTTP. */
import { extractText } from "unpdf";
import { afterAll, beforeAll, expect, test } from "vitest";
import { draftInvoice, issueInvoice } from "#database/billing/invoice-issue.ts";
import { storeUsage } from "#database/billing/usage.ts";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { consoleApi } from "#domain/access/access-addresses.ts";
import { billingRoutes } from "#workers/contracts/api/billing-routes.ts";
import { consoleLogin } from "../../testing/console-login.ts";
import { type ApiUnderTest, startApi } from "../../testing/start-api.ts";

const DAY_MS = 86_400_000;
const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);

let api: ApiUnderTest;
let client: string;
beforeAll(async () => {
  api = await startApi();
  const created_at = new Date(Date.now() - 90 * DAY_MS);
  client = await insertClient(api.database.db, { slug: "acme", partner_id: api.partners.north, created_at });
});
afterAll(() => api?.stop());

const params = () => ({ client_id: client });
const topUp = (reference: string, amount_micros: number) =>
  ({ as: "root", params: params(), body: { amount_micros, reference } }) as const;

test("books a purchase once per reference, with an event for the client's partner", async () => {
  expect((await api.call(billingRoutes.getCredit, { as: "north", params: params() })).body).toBeNull();
  expect((await api.call(billingRoutes.topUpCredit, topUp("order-1", 50_000_000))).body).toMatchObject({
    balance_micros: 50_000_000,
    prepaid: true,
    state: "ok",
  });
  expect((await api.call(billingRoutes.topUpCredit, topUp("order-1", 50_000_000))).body.balance_micros).toBe(
    50_000_000,
  );
  expect(await api.refused(billingRoutes.topUpCredit, topUp("order-1", 60_000_000))).toMatchObject({ status: 409 });
  expect((await api.call(billingRoutes.getCredit, { as: "north", params: params() })).body).toMatchObject({
    purchased_micros: 50_000_000,
  });
});

test("lets a partner root only read its own clients' billing", async () => {
  const body = { amount_micros: 1, reference: "mine" };
  expect(await api.refused(billingRoutes.topUpCredit, { as: "north", params: params(), body })).toMatchObject({
    status: 403,
  });
  for (const route of [billingRoutes.getCredit, billingRoutes.listCreditEntries, billingRoutes.listInvoices]) {
    expect((await api.refused(route, { as: "south", params: params() })).status).toBe(404);
  }
  const query = { from: day(1), to: day(0) };
  expect((await api.refused(billingRoutes.listUsage, { as: "south", params: params(), query })).status).toBe(404);
});

test("lists usage by day, and the ledger by page", async () => {
  const { db } = api.database;
  const usage = [{ clientId: client, day: day(1), metric: "ai_spend" as const, quantity: 2_000_000n }];
  await db.transaction().execute((tx) => storeUsage(tx, { day: day(1), usage, unknown: [] }, new Date()));
  const asked = { as: "north", params: params(), query: { from: day(2), to: day(0) } } as const;
  expect((await api.call(billingRoutes.listUsage, asked)).body.data).toEqual([
    { day: day(1), metric: "ai_spend", quantity: 2_000_000 },
  ]);
  const usual = await api.call(billingRoutes.listUsage, { as: "north", params: params() });
  expect(usual.body.data.map((line) => line.day)).toContain(day(1));
  const far = { as: "north", params: params(), query: { from: day(400), to: day(0) } } as const;
  expect((await api.refused(billingRoutes.listUsage, far)).status).toBe(400);
  // With the same timestamp, like entries of one transaction.
  await api.call(billingRoutes.topUpCredit, topUp("order-2", 1));
  await api.database.pool.query(
    `insert into tenantry.credit_entries (client_id, amount_micros, kind, reference, booked_at)
     select $1, 1, 'purchase', 'many-' || n, '2026-11-01T00:00:00Z' from generate_series(1, 5) n`,
    [client],
  );
  const seen: string[] = [];
  let after: string | null = "";
  while (after !== null) {
    const query: Record<string, string> = after === "" ? { limit: "2" } : { limit: "2", after };
    const { body } = await api.call(billingRoutes.listCreditEntries, { as: "north", params: params(), query });
    seen.push(...body.data.map(({ reference, kind }) => reference ?? kind));
    after = body.pagination.next;
  }
  expect(seen.slice(0, 3)).toEqual(["order-2", "consumption", "order-1"]);
  expect(seen.slice(3).toSorted()).toEqual(["many-1", "many-2", "many-3", "many-4", "many-5"]);
});

test("updates credit settings only at the expected version", async () => {
  const { headers } = await api.call(billingRoutes.getCredit, { as: "root", params: params() });
  const change = { as: "root", params: params(), body: { warn_below_micros: 1_000 } } as const;
  const seen = { "if-match": headers.get("etag") ?? "" };
  expect((await api.call(billingRoutes.updateCredit, { ...change, headers: seen })).body.warn_below_micros).toBe(1_000);
  expect((await api.refused(billingRoutes.updateCredit, { ...change, headers: seen })).status).toBe(412);
});

test("lists and returns invoices with their lines to roots with access", async () => {
  const { db } = api.database;
  const now = new Date();
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
  const { id } = await db
    .transaction()
    .execute(async (tx) => issueInvoice(tx, (await draftInvoice(tx, client, month)).id, now));
  const { body } = await api.call(billingRoutes.listInvoices, { as: "north", params: params() });
  expect(body.data).toMatchObject([{ id, status: "issued", currency: "USD", period_start: `${month}-01` }]);
  const whole = await api.call(billingRoutes.getInvoice, { as: "north", params: { invoice_id: id } });
  expect(whole.body.lines.reduce((sum, line) => sum + line.amount_micros, 0)).toBe(whole.body.total_micros);
  expect((await api.refused(billingRoutes.getInvoice, { as: "south", params: { invoice_id: id } })).status).toBe(404);

  const instance = await insertInstance(db, client);
  const user = (email: string, role: string) =>
    insertClientUser(db, { client_id: client, email, role, status: "validated" }, [instance]);
  await user("ada@acme.test", "ADMIN");
  await user("bob@acme.test", "BASE_USER");
  const pdf = await api.fetch(`${consoleApi("acme")}/invoice/${id}/pdf`, {
    headers: await consoleLogin("acme", "ada@acme.test"),
  });
  expect([pdf.status, pdf.headers.get("content-type"), pdf.headers.get("content-disposition")]).toEqual([
    200,
    "application/pdf",
    `attachment; filename="invoice-acme-${month}.pdf"`,
  ]);
  const { text } = await extractText(new Uint8Array(await pdf.arrayBuffer()), { mergePages: true });
  expect(text.replaceAll("\n", " ")).toMatch(/^north Invoice of .*Client: acme/);
  const ofRoot = await api.fetchAs("root", "GET", `/invoice/${id}/pdf`);
  expect([ofRoot.status, ofRoot.headers.get("content-type")]).toEqual([200, "application/pdf"]);
  const refused = (as: Parameters<typeof api.refused>[1]["as"]) =>
    api.refused(billingRoutes.getInvoicePdf, { as, params: { invoice_id: id } });
  expect((await refused("south")).status).toBe(404);
  expect((await refused({ slug: "acme", email: "bob@acme.test" })).status).toBe(403);
});

test("lets platform roots set prices from today on", async () => {
  const price = { plan: "pro", metric: "ai_queries", per_units: 1_000, micros: 42 };
  const set = (as: "root" | "north", valid_from: string) => ({ as, body: { ...price, valid_from } }) as const;
  expect((await api.refused(billingRoutes.setPrice, set("north", day(-1)))).status).toBe(403);
  expect((await api.refused(billingRoutes.setPrice, set("root", day(3)))).status).toBeLessThan(500);
  const { body } = await api.call(billingRoutes.setPrice, set("root", day(-1)));
  expect(body.prices).toContainEqual(expect.objectContaining({ ...price, valid_from: day(-1) }));
  expect((await api.call(billingRoutes.listPrices, { as: "north" })).body.prices).toEqual(body.prices);
});
