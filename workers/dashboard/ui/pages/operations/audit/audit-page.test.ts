/** The audit log: filters, differences and export. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { findAccessibilityFaults, type PagesUnderTest, startPages } from "#workers/dashboard/testing/start-pages.ts";
import { differencesOf } from "./differences.ts";

const PATH = "/operations/audit";

let pages: PagesUnderTest;
let acme: string;
beforeAll(async () => {
  pages = await startPages();
  const make = async (as: "north" | "south", slug: string) =>
    (await pages.call(clientRoutes.createClient, { as, body: { slug, billing_plan: "basic" } })).body.id;
  acme = await make("north", "acme");
  await make("south", "hooli");
  await pages.call(clientRoutes.updateClient, { as: "north", body: { id: acme, name: "Acme Corporation" } });
});
afterAll(() => pages?.stop());

test("filters find a change, the address can be shared, and the entry lists the changed fields", async () => {
  const { page, complaints, close } = await pages.open("root", PATH, { timezoneId: "Asia/Tokyo" });
  const entries = page.getByRole("list", { name: "Changes" }).getByRole("listitem");
  await entries.filter({ hasText: "client hooli" }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole("combobox", { name: "Entity" }).selectOption({ label: "client" });
  await page.getByRole("combobox", { name: "Client", exact: true }).fill("acm");
  await page.getByRole("option", { name: "acme" }).click();
  await page.getByRole("textbox", { name: /Actor/ }).fill("root@north.test");
  await page.keyboard.press("Enter");
  await page.getByLabel("From").fill("2020-01-01T09:00");
  // Tokyo is nine hours ahead of UTC.
  await page.waitForURL(({ searchParams }) => searchParams.get("from")?.includes("2020-01-01T00:00:00.000Z") === true);
  await page.reload();
  await entries.nth(1).waitFor();
  await expect.poll(() => entries.count()).toBe(2);
  await expect.poll(() => page.getByLabel("From").inputValue()).toBe("2020-01-01T09:00");
  await entries.first().getByText("Name from acme to Acme Corporation").waitFor();
  await entries.first().getByText("updated").click();
  const table = page.getByRole("table", { name: "Changed fields" });
  await table.waitFor();
  await expect
    .poll(() => table.getByRole("row").allTextContents())
    .toEqual(["FieldBeforeAfter", "NameacmeAcme Corporation"]);
  await page.getByRole("button", { name: /unchanged/ }).click();
  await table.getByRole("row", { name: /^Plan/ }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  const href = (await page.getByRole("link", { name: "Export filtered entries" }).getAttribute("href")) ?? "";
  expect(Object.fromEntries(new URL(href, pages.url).searchParams)).toEqual({
    entity: "clients",
    client_id: acme,
    actor: "root@north.test",
    from: "2020-01-01T00:00:00.000Z",
  });
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export filtered entries" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("audit.ndjson");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await entries.filter({ hasText: "client hooli" }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test("a partner root sees only changes of its own clients; a failed list loads on retry", async () => {
  const { page, context, close } = await pages.open("south", "/operations/jobs");
  let isAway = true;
  await context.route(
    (url) => url.pathname === "/audit",
    (route) =>
      isAway
        ? route.fulfill({ status: 403, json: { error: { code: "forbidden", message: "Not now." } } })
        : route.continue(),
  );
  await page.getByRole("link", { name: "Audit" }).click();
  await page.getByRole("alert").getByText("Not now.").waitFor();
  isAway = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("client hooli").waitFor();
  expect(await page.getByText("acme").count()).toBe(0);
  await close();
});

test("ignores fields that every update changes, and treats all fields of a new row as changed", () => {
  const changed = (before: Record<string, unknown> | null, after: Record<string, unknown> | null) =>
    differencesOf(before, after).flatMap((one) => (one.changed ? [one.field] : []));
  expect(changed({ a: 1, b: [1], version: 1 }, { a: 2, b: [1], version: 2, c: null })).toEqual(["a"]);
  expect(changed(null, { a: 1, b: null, updated_at: "x" })).toEqual(["a"]);
  expect(changed({ a: false, b: "" }, null)).toEqual(["a"]);
});
