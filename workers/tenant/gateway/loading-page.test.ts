import { findFaultsInAllViews } from "@tenantry/test-kit/accessibility";
import { openBrowser } from "@tenantry/test-kit/browser";
import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { encodeBrand } from "#workers/contracts/platform-headers.ts";
import { eventually, faultGateway, slowGateway, type Tenant } from "../testing/harness.ts";
import { asleep } from "../testing/sleeping-tenant.ts";
import { test as base } from "../testing/test.ts";
import { LONG_MS, TOO_LONG_MS } from "./loading-script.ts";

const LOGO = "http://dash.tenantry.localhost/logos/1?hash=2";
const BRAND = { name: "North", colours: { accent: "#0b6b3a" }, logo: LOGO, support: "help@north.test" };
/** As the dispatch Worker sets them. */
const visitor = (role: string) => ({
  "x-platform-brand": encodeBrand(BRAND),
  "x-platform-user": "ada@acme.test",
  "x-platform-role": role,
});

const test = base.extend("browser", { scope: "file" }, async ({ onFileFinished }) => {
  const browser = await openBrowser();
  onFileFinished(() => browser.close());
  return browser;
});

/** A page, and the violations of its content security policy. */
async function openPage(browser: Browser, role = "BASE_USER"): Promise<{ page: Page; faults: string[] }> {
  const page = await browser.newPage({ extraHTTPHeaders: visitor(role) });
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) faults.push(message.text());
  });
  page.on("pageerror", (error) => void faults.push(error.message));
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';
  await page.route(LOGO, (route) => route.fulfill({ contentType: "image/svg+xml", body: svg }));
  return { page, faults };
}

/** Replaces the health that the page receives. */
async function replaceHealth(page: Page): Promise<{ status: string; error: string; http: number }> {
  const health = { status: "starting", error: "the startup script is running", http: 200 };
  const probe = { ok: false, status: "failure", latencyMs: 1 };
  await page.routeWebSocket("**/api/health/ws", () => undefined);
  await page.route("**/api/health", (route) => {
    const { status, error, http } = health;
    if (http === 0) return route.abort();
    const restoreStatus = { hadBackup: true, restored: status === "starting" };
    const snapshot = { status, startup: probe, liveness: probe, readiness: { ...probe, error }, restoreStatus };
    return route.fulfill({ status: http, json: snapshot });
  });
  return health;
}

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor();
const said = (page: Page, text: string) =>
  eventually(async () => (await page.getByRole("status").textContent()) === text);

async function openStarting(page: Page, { url }: Tenant, at = "/"): Promise<void> {
  expect((await page.goto(url + at))?.status()).toBe(503);
}

test("shows the loading page and then the gateway without a manual reload, also after sleep", async ({
  openTenant,
  browser,
}) => {
  const tenant = await openTenant(slowGateway, { bindings: { SLEEP_AFTER_SECONDS: "3" } });
  const { page, faults } = await openPage(browser);
  await openStarting(page, tenant);
  await expect.poll(() => page.getByRole("status").textContent()).toMatch(/Starting|Waking up/);
  await page.locator("#tenant").waitFor({ timeout: 60_000 });
  await expect.poll(() => page.locator("#tenant").textContent()).toBe("acme");
  await expect.poll(() => page.locator("#visits").textContent()).toBe("1");

  await asleep(tenant);
  // A browser treats an address with another fragment as the same document.
  await page.goto("about:blank");
  await openStarting(page, tenant, "/#/chat/1");
  await page.locator("#visits").waitFor({ timeout: 60_000 });
  expect(page.url()).toBe(`${tenant.url}/#/chat/1`);
  // The gateway's state was restored.
  await expect.poll(() => page.locator("#visits").textContent()).toBe("2");
  expect(faults).toEqual([]);
});

test("reports a slow start with the partner's brand and contact, and stops the animation", async ({
  openTenant,
  browser,
}) => {
  const tenant = await openTenant(faultGateway("silent"));
  const { page, faults } = await openPage(browser);
  await page.clock.install();
  const health = await replaceHealth(page);
  health.status = "stopped";
  await openStarting(page, tenant);
  await heading(page, "Your gateway is starting");
  await said(page, "Waking up and restoring your data");
  expect(await page.title()).toBe("Starting · North");
  expect(await page.getByRole("img", { name: "North" }).evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBe(
    8,
  );
  await expect
    .poll(() => page.getByRole("link", { name: "Log out" }).getAttribute("href"))
    .toBe("/cdn-cgi/access/logout");
  await expect.poll(() => page.getByText("Logged in as ada@acme.test").count()).toBe(1);
  expect(await page.getByRole("heading", { name: "What to do" }).isVisible()).toBe(false);
  expect(await findFaultsInAllViews(page)).toEqual([]);

  health.status = "starting";
  await said(page, "Starting the gateway");
  await expect.poll(() => page.locator("[aria-current=step]").textContent()).toBe("Start the gateway");
  await page.clock.fastForward(LONG_MS);
  await heading(page, "This takes longer than usual");
  await expect.poll(() => page.getByRole("heading", { name: "What to do" }).isVisible()).toBe(true);
  await expect.poll(() => page.getByRole("listitem").filter({ hasText: "North (help@north.test)" }).count()).toBe(1);
  expect(await page.getByRole("link", { name: "gateway's log" }).count()).toBe(0);
  await expect.poll(() => page.locator("#bar").isVisible()).toBe(true);
  await page.clock.fastForward(TOO_LONG_MS);
  await heading(page, "The gateway has not started yet");
  expect(await page.locator("#bar").isVisible()).toBe(false);
  expect(await findFaultsInAllViews(page)).toEqual([]);

  // A reload continues the same wait.
  await page.reload();
  await heading(page, "The gateway has not started yet");
  health.http = 0;
  await eventually(async () => {
    await page.clock.fastForward(5_000);
    return (await page.getByRole("status").textContent())?.includes("Check your internet connection");
  });
  await page.route(`${tenant.url}/`, (route) => route.fulfill({ body: "Gateway of acme" }));
  Object.assign(health, { http: 200, status: "running" });
  await page.getByText("Gateway of acme").waitFor();
  expect(faults).toEqual([]);
});

test("reports the cause of a failed start, and links the log for administrators", async ({ openTenant, browser }) => {
  const tenant = await openTenant(faultGateway("exit"));
  const { page, faults } = await openPage(browser, "ADMIN");
  await openStarting(page, tenant);
  await heading(page, "The gateway did not start");
  await expect
    .poll(() => page.locator("#detail").textContent())
    .toBe("the gateway ended with code 3 before it responded");
  await expect
    .poll(() => page.getByRole("link", { name: "gateway's log" }).getAttribute("href"))
    .toBe("/api/admin/gateway/log");
  expect(await page.locator("#bar").isVisible()).toBe(false);
  expect(await findFaultsInAllViews(page)).toEqual([]);
  expect(faults).toEqual([]);
});

test("reloads when the tenant is frozen", async ({ openTenant, browser }) => {
  const tenant = await openTenant(slowGateway);
  const { page } = await openPage(browser);
  const health = await replaceHealth(page);
  await openStarting(page, tenant);
  await page.route(`${tenant.url}/`, (route) => route.fulfill({ status: 403, body: "This tenant is frozen" }));
  health.http = 403;
  await page.getByText("This tenant is frozen").waitFor();
});

test("shows the platform's brand without platform headers, or with malformed ones", async ({ openTenant }) => {
  const tenant = await openTenant(slowGateway);
  const bad = { "x-platform-brand": "{}", "x-platform-user": "%E0%A4%A", "x-platform-role": "KING" };
  for (const headers of [{}, bad]) {
    const page = await tenant.fetch("/", { headers: { accept: "text/html", ...(headers as Record<string, string>) } });
    const html = await page.text();
    expect([page.status, html.includes("<span>Tenantry</span>")]).toEqual([503, true]);
    expect(html).not.toMatch(/Logged in as|gateway's log/);
    expect(page.headers.get("content-security-policy")).not.toContain("img-src");
  }
});
