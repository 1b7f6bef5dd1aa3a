/** The reference in a browser. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { findAccessibilityFaults, type PagesUnderTest, startPages } from "../../testing/start-pages.ts";

let pages: PagesUnderTest;
beforeAll(async () => {
  pages = await startPages();
});
afterAll(() => pages?.stop());

test.each([
  ["light on a desktop", { colorScheme: "light", viewport: { width: 1280, height: 800 } }],
  ["dark on a phone", { colorScheme: "dark", viewport: { width: 390, height: 844 } }],
] as const)("leads from the contents to an operation, and is accessible, %s", async (_view, options) => {
  const { page, complaints, close } = await pages.open("north", "/reference", options);
  const contents = page.getByRole("navigation", { name: "Contents" });
  await contents.getByText("Clients", { exact: true }).click();
  await contents.getByRole("link", { name: "createClient" }).click();
  await page.waitForURL(/#createClient$/);
  const operation = page.locator("#createClient");
  await expect.poll(() => operation.evaluate((one) => one.getBoundingClientRect().top)).toBeLessThan(100);
  const text = await operation.textContent();
  for (const shown of [
    "POST",
    "/client/new",
    "PARTNER_ROOT",
    `curl ${new URL(page.url()).origin}/client/new`,
    '"slug": "acme"',
    "409 conflict",
    "The slug is in use",
  ]) {
    expect(text).toContain(shown);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});
