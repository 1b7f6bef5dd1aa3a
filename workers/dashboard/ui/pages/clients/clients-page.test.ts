import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { addClients } from "#database/testing/many-clients.ts";
import { findAccessibilityFaults, type PagesUnderTest, startPages } from "#workers/dashboard/testing/start-pages.ts";

let pages: PagesUnderTest;
beforeAll(async () => {
  pages = await startPages();
  const { db } = pages.database;
  for (const slug of ["acme", "hooli", "initech", "umbrella", "wonka"]) {
    const client = await insertClient(db, {
      slug,
      name: `${slug[0]?.toUpperCase()}${slug.slice(1)}`,
      partner_id: pages.partners.north,
    });
    await insertInstance(db, client);
  }
});
afterAll(() => pages?.stop());

test("the address contains the search, and shows the same result when it is shared", async () => {
  const { page, complaints, close } = await pages.open("root", "/clients");
  await page.getByRole("link", { name: /Wonka/ }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole("searchbox").fill("hoo");
  await page.getByRole("link", { name: /Acme/ }).waitFor({ state: "detached" });
  expect(new URL(page.url()).searchParams.get("search")).toBe("hoo");
  await page.reload();
  await page.getByRole("link", { name: /Hooli/ }).waitFor();
  await expect.poll(() => page.getByRole("row").count()).toBe(2);
  expect(complaints).toEqual([]);
  await close();
});

const heightOf = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight);
/** Scrolls to the end of the loaded rows, and waits for more. */
async function readOn(page: Page): Promise<void> {
  const before = await heightOf(page);
  await page.evaluate((height) => window.scrollTo(0, height), before);
  await page.waitForFunction((height) => document.documentElement.scrollHeight > height, before);
}

test("ten thousand clients load while scrolling, with few rows in the page", async () => {
  await addClients(pages.database, "many", 10_000);
  const { page, complaints, close } = await pages.open("root", "/clients");
  await page.getByText("10,005").waitFor();
  await page.getByRole("link", { name: "Client 1 many-1", exact: true }).waitFor();
  for (let read = 0; read < 10; read += 1) await readOn(page);
  await expect.poll(() => page.getByRole("row").count()).toBeLessThan(100);
  await page.getByRole("searchbox").fill("client 9876");
  await page.getByRole("link", { name: "Client 9876 many-9876" }).waitFor();
  await expect.poll(() => page.getByRole("row").count()).toBe(2);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByRole("button", { name: "Client", exact: true }).click();
  await page.getByRole("link", { name: /wonka/ }).waitFor();
  expect(new URL(page.url()).searchParams.get("sort")).toBe("-slug");
  expect(complaints).toEqual([]);
  await close();
});

test("loaded rows stay when the next page fails, and a retry loads it", async () => {
  const { page, close } = await pages.open("root", "/clients?search=wonka");
  await page.getByRole("link", { name: /wonka/ }).waitFor();
  let failures = 1;
  await page.route(/\/client\?.*after=/, (route) => {
    const error = { code: "forbidden", message: "Permission denied." };
    return failures-- > 0 ? route.fulfill({ status: 403, json: { error } }) : route.continue();
  });
  await page.getByRole("searchbox").fill("many");
  await page.getByRole("link", { name: "Client 1 many-1", exact: true }).waitFor();
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await page.getByText("Permission denied.").waitFor();
  await expect.poll(() => page.getByRole("row").count()).toBeGreaterThan(10);
  const height = await heightOf(page);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.waitForFunction((before) => document.documentElement.scrollHeight > before, height);
  await close();
});
