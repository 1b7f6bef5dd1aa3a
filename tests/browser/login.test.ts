import { logIn, openBrowser } from "@tenantry/test-kit/browser";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Edge } from "#local/edge.ts";
import { addDemoUsers } from "#local/start/demo.ts";
import { openPlatform, platformSettings, stackOf } from "../testing/platform.ts";

let edge: Edge;
let close: () => Promise<void>;
let browser: Browser;

beforeAll(async () => {
  ({ edge, close } = await openPlatform());
  browser = await openBrowser();
  const stack = await stackOf(edge, platformSettings([{ slug: "acme" }, { slug: "hooli" }]));
  await stack.up();
  await addDemoUsers(edge);
});
afterAll(async () => {
  await browser?.close();
  await close();
});

test("leads from a tenant's address through the login and the loading page into the gateway, without a manual reload", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://acme.tenantry.localhost:${edge.port}/`);
  expect(new URL(page.url()).host).toBe(new URL(edge.accessIssuer).host);
  await logIn(page, "ada@acme.example");
  await page.getByText("Gateway of acme").waitFor();
  await expect.poll(() => page.locator("#role").textContent()).toBe("ADMIN");
  expect(page.url()).toBe(`http://acme.tenantry.localhost:${edge.port}/`);
  await context.close();
});

test("rejects a member of another tenant after the login, and names the logged-in user", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://hooli.tenantry.localhost:${edge.port}/`);
  await logIn(page, "ada@acme.example");
  await page.getByText("ada@acme.example").first().waitFor();
  expect(await page.getByText("Gateway of").count()).toBe(0);
  await context.close();
});

test("leads a root user to the requested page", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const address = `http://dash.tenantry.localhost:${edge.port}/clients?search=oo`;
  await page.goto(address);
  await logIn(page, "root@tenantry.example");
  await page.getByRole("link", { name: /hooli/ }).waitFor();
  expect(page.url()).toBe(address);
  await expect.poll(() => page.getByRole("row").count()).toBe(2);
  await page.getByText("Live", { exact: true }).first().waitFor();
  await context.close();
});

test("reports an expired login, and restores the page with its entries after the next one", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const address = `http://dash.tenantry.localhost:${edge.port}/clients/new`;
  await page.goto(address);
  await logIn(page, "root@tenantry.example");
  await page.getByLabel("Slug").waitFor();
  await context.clearCookies();
  // The API validates the entry, which reveals the expired login.
  await page.getByLabel("Slug").fill("newcomer");
  await page.getByRole("button", { name: "Log in again" }).click();
  await logIn(page, "root@tenantry.example");
  await page.waitForURL(address);
  await expect.poll(() => page.getByLabel("Slug").inputValue()).toBe("newcomer");
  await context.close();
});
