import chromium from "@sparticuz/chromium";
import { chromium as playwright } from "playwright-core";
import { expect } from "vitest";
import { slowGateway } from "../testing/harness.ts";
import { asleep } from "../testing/sleeping-tenant.ts";
import { test } from "../testing/test.ts";

test("a browser sees the loading page and then the gateway, with no reload by hand, and again after sleep", async ({
  openTenant,
  onTestFinished,
}) => {
  const tenant = await openTenant(slowGateway, { bindings: { SLEEP_AFTER_SECONDS: "3" } });
  // The package's default arguments switch web security off.
  const args = ["--no-sandbox", "--headless=new", "--disable-gpu"];
  const browser = await playwright.launch({ executablePath: await chromium.executablePath(), args });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) faults.push(message.text());
  });
  const response = await page.goto(`${tenant.url}/`);
  expect(response?.status()).toBe(503);
  expect(await page.getByRole("status").textContent()).toMatch(/Starting|Waking up/);
  await page.locator("#tenant").waitFor({ timeout: 60_000 });
  expect(await page.locator("#tenant").textContent()).toBe("acme");
  expect(await page.locator("#visits").textContent()).toBe("1");

  await asleep(tenant);
  expect((await page.goto(`${tenant.url}/`))?.status()).toBe(503);
  await page.locator("#visits").waitFor({ timeout: 60_000 });
  // What it knew before is there.
  expect(await page.locator("#visits").textContent()).toBe("2");
  expect(faults).toEqual([]);
});
