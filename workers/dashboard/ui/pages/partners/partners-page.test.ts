import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient } from "#database/testing/fixtures.ts";
import { findAccessibilityFaults, type PagesUnderTest, startPages } from "#workers/dashboard/testing/start-pages.ts";

let pages: PagesUnderTest;
beforeAll(async () => {
  pages = await startPages();
  await insertClient(pages.database.db, { slug: "acme", partner_id: pages.partners.north });
});
afterAll(() => pages?.stop());

test("a partner is created at its own address, and entries survive a rejection", async () => {
  const { page, complaints, close } = await pages.open("root", "/partners");
  await expect.poll(() => page.getByRole("row", { name: /north/ }).getByRole("cell").nth(2).textContent()).toBe("1");
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole("link", { name: "Create partner" }).click();
  expect(new URL(page.url()).pathname).toBe("/partners/new");
  await page.getByLabel("Name").fill("Globex Integrators");
  await page.getByLabel("Slug").fill("No Label");
  await page.getByText("is not a DNS label").waitFor();
  const create = page.getByRole("button", { name: "Create" });
  await expect.poll(() => create.isDisabled()).toBe(true);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByLabel("Slug").fill("north");
  await create.click();
  await page.getByText("A partner with this slug already exists").waitFor();
  await page.reload();
  await expect.poll(() => page.getByLabel("Name").inputValue()).toBe("Globex Integrators");
  await page.getByLabel("Slug").fill("globex");
  await create.click();
  await page.getByRole("heading", { level: 1, name: "Globex Integrators" }).waitFor();
  await page.getByRole("link", { name: "Partners" }).first().click();
  await page.getByRole("row", { name: /Globex Integrators/ }).waitFor();
  expect(complaints.filter((text) => !text.includes("409"))).toEqual([]);
  await close();
});

test("a failed list loads on retry; a partner root sees only its own partner", async () => {
  const { page, close } = await pages.open("root", "/gateways");
  await page.route("**/partner?*", (route) => route.abort());
  await page.getByRole("link", { name: "Partners" }).click();
  await page.getByText("Cannot reach the dashboard.").waitFor();
  await page.unroute("**/partner?*");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("row", { name: /north/ }).waitFor();
  await close();

  const north = await pages.open("north", "/partners");
  await north.page.getByRole("heading", { level: 1, name: "north" }).waitFor();
  expect(new URL(north.page.url()).pathname).toBe(`/partners/${pages.partners.north}`);
  expect(await north.page.getByRole("link", { name: "Partners" }).count()).toBe(0);
  await north.close();
});
