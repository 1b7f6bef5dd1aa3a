import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { slowGateway, startTenant, type Tenant } from "../testing/harness.ts";
import { asleep } from "../testing/sleeping-tenant.ts";

const SLEEP_AFTER_SECONDS = "3";

let tenant: Tenant;
let browser: Browser;

beforeAll(async () => {
  tenant = await startTenant(slowGateway, { bindings: { SLEEP_AFTER_SECONDS } });
  // The package's default arguments switch web security off.
  const args = ["--no-sandbox", "--headless=new", "--disable-gpu"];
  browser = await playwright.launch({ executablePath: await chromium.executablePath(), args });
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await tenant?.stop();
});

test("a browser sees the loading page and then the gateway, with no reload by hand, and again after sleep", async () => {
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
