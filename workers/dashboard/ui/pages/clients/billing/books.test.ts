/** A client's usage and billing, by role. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { draftInvoice, issueInvoice } from "#database/billing/invoice-issue.ts";
import { storeDay } from "#database/testing/billing.ts";
import { insertClient } from "#database/testing/fixtures.ts";
import { findAccessibilityFaults, type PagesUnderTest, startPages } from "#workers/dashboard/testing/start-pages.ts";

const DAY_MS = 86_400_000;
const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);

let pages: PagesUnderTest;
let client: string;
beforeAll(async () => {
  pages = await startPages();
  const { db } = pages.database;
  const created_at = new Date(Date.now() - 90 * DAY_MS);
  client = await insertClient(db, { slug: "acme", name: "Acme", partner_id: pages.partners.north, created_at });
});
afterAll(() => pages?.stop());

test("platform roots book credit once per reference and change its settings; a partner root only reads the ledger", async () => {
  const { page, complaints, close } = await pages.open("root", `/clients/${client}/billing`);
  await page.getByText("No credit yet").waitFor();
  await page.getByRole("button", { name: "Top up" }).click();
  const dialog = page.getByRole("dialog", { name: "Top up credit of Acme" });
  await dialog.getByLabel("Amount in US dollars").fill("fifty");
  await dialog.getByText("Enter an amount such as 50.00.").waitFor();
  await dialog.getByLabel("Amount in US dollars").fill("50.5");
  await dialog.getByLabel("Reference").fill("order-1");
  let failures = 1;
  await page.route("**/credit/top-up", (route) => (failures-- > 0 ? route.abort() : route.continue()));
  await dialog.getByRole("button", { name: "Book payment" }).click();
  await dialog.getByText("Cannot reach the dashboard. Check your connection, then try again.").waitFor();
  await dialog.getByRole("button", { name: "Book payment" }).click();
  await page.getByText("$50.50 booked").waitFor();
  await page.getByRole("row").filter({ hasText: "order-1" }).getByText("+$50.50").waitFor();
  await page.getByText("$50.50 credit", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Edit credit settings" }).click();
  const settings = page.getByRole("dialog", { name: "Edit credit settings of Acme" });
  await settings.getByLabel("Warning threshold in US dollars").fill("60");
  await settings.getByRole("button", { name: "Save" }).click();
  await page.getByText("running low").waitFor();
  await page.getByText("Below $60.00").waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  expect(complaints.filter((line) => !/ERR_FAILED/.test(line))).toEqual([]);
  await close();
  const partner = await pages.open("north", `/clients/${client}/billing`);
  await partner.page.getByRole("row").filter({ hasText: "order-1" }).waitFor();
  expect(await partner.page.getByRole("button", { name: /Top up|Edit credit/ }).count()).toBe(0);
  expect(partner.complaints).toEqual([]);
  await partner.close();
});

test("an invoice opens at an address that can be shared, and closes again", async () => {
  const { db } = pages.database;
  const now = new Date();
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
  await storeDay(db, client, { day: `${month}-03`, metric: "ai_spend", quantity: 3_000_000n }, now);
  await db.transaction().execute(async (tx) => issueInvoice(tx, (await draftInvoice(tx, client, month)).id, now));
  const { page, complaints, close } = await pages.open("north", `/clients/${client}/billing`, {
    timezoneId: "Pacific/Auckland",
  });
  const name = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" });
  await page.getByRole("link", { name: name.format(Date.parse(`${month}-01`)) }).click();
  const dialog = page.getByRole("dialog", { name: /^Invoice of/ });
  await dialog.getByRole("cell", { name: /Model cost, plan Pro/ }).waitFor();
  await dialog.getByRole("row", { name: /Total/ }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.reload();
  await dialog.getByRole("cell", { name: /Model cost/ }).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("");
  expect(complaints).toEqual([]);
  await close();
});

test("usage appears as a chart or a table of the metric and period in the address", async () => {
  const { db } = pages.database;
  await storeDay(db, client, { day: day(1), metric: "ai_queries", quantity: 1_234n }, new Date());
  await storeDay(db, client, { day: day(40), metric: "ai_queries", quantity: 766n }, new Date());
  const { page, complaints, close } = await pages.open("north", `/clients/${client}/usage`);
  await page.getByRole("button", { name: "AI queries 1,234" }).click();
  await page.getByRole("slider", { name: /^AI queries by day/ }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByLabel("Period").selectOption("90");
  await page.getByRole("button", { name: "AI queries 2,000" }).waitFor();
  await page.getByRole("link", { name: "Table" }).click();
  const table = page.getByRole("table", { name: "AI queries, by day" });
  await table.getByRole("cell", { name: "766" }).waitFor();
  // With the header, without the days that have no usage.
  await expect.poll(() => table.getByRole("row").count()).toBe(3);
  await page.getByText("88 days without usage are left out.").waitFor();
  await page.getByText(/^AI queries was highest on .*: 1,234\./).waitFor();
  await page.reload();
  await table.getByRole("cell", { name: "1,234" }).waitFor();
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    metric: "ai_queries",
    days: "90",
    as: "table",
  });
  expect(await findAccessibilityFaults(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});
