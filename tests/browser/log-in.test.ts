import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Edge } from "../../local/edge.ts";
import { addDemoUsers } from "../../local/start/demo.ts";
import { openBrowser } from "../testing/browser.ts";
import { openEdge, platformSettings, stackOf } from "../testing/platform.ts";

let edge: Edge;
let close: () => Promise<void>;
let browser: Browser;

beforeAll(async () => {
  ({ edge, close } = await openEdge());
  browser = await openBrowser();
  const stack = await stackOf(edge, platformSettings([{ slug: "acme" }, { slug: "hooli" }]));
  await stack.up();
  await addDemoUsers(edge);
});
afterAll(async () => {
  await browser?.close();
  await close();
});

test("leads from a tenant's address through the log-in and the loading page into the gateway, with no reload by hand", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://acme.tenantry.localhost:${edge.port}/`);
  expect(new URL(page.url()).host).toBe(new URL(edge.accessIssuer).host);
  await page.getByLabel(/e-?mail/i).fill("ada@acme.example");
  await page.getByRole("button").first().click();
  await page.getByText("Gateway of acme").waitFor();
  expect(await page.locator("#role").textContent()).toBe("ADMIN");
  expect(page.url()).toBe(`http://acme.tenantry.localhost:${edge.port}/`);
  await context.close();
});

test("refuses a member of another tenant after the log-in, naming who is logged in", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://hooli.tenantry.localhost:${edge.port}/`);
  await page.getByLabel(/e-?mail/i).fill("ada@acme.example");
  await page.getByRole("button").first().click();
  await page.getByText("ada@acme.example").first().waitFor();
  expect(await page.getByText("Gateway of").count()).toBe(0);
  await context.close();
});

test("shows a root user the list of clients", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://dash.tenantry.localhost:${edge.port}/`);
  await page.getByLabel(/e-?mail/i).fill("root@tenantry.example");
  await page.getByRole("button").first().click();
  await page.getByRole("link", { name: /acme/ }).waitFor();
  expect(await page.getByRole("row").count()).toBe(3);
  await context.close();
});
