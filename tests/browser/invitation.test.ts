/** An invitation in a browser that runs no script. */
import { createHash } from "node:crypto";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "../../database/testing/fixtures.ts";
import { type DashboardUnderTest, startDashboard } from "../../workers/dashboard/testing/start-dashboard.ts";
import { openBrowser } from "../testing/browser.ts";

let dashboard: DashboardUnderTest;
let browser: Browser;
beforeAll(async () => {
  dashboard = await startDashboard();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await dashboard?.stop();
});

const invite = async (slug: string) => {
  const { db } = dashboard.database;
  const client_id = await insertClient(db, { slug, name: "Acme" });
  const instance = await insertInstance(db, client_id);
  const token_hash = createHash("sha256").update(slug).digest();
  const token_expires_at = new Date(Date.now() + 60_000);
  return insertClientUser(db, { client_id, email: "ada@acme.test", token_hash, token_expires_at }, [instance]);
};
const statusOf = async (id: string) =>
  (await dashboard.database.pool.query("select status from tenantry.client_users where id = $1", [id])).rows[0].status;

test.each([
  ["Accept", "validated", /Welcome to Acme/, 1],
  ["Reject", "rejected", /You rejected/, 0],
] as const)("%s is one press of a button, without a script", async (button, status, heading, links) => {
  const slug = `acme-${button.toLowerCase()}`;
  const id = await invite(slug);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const refused: string[] = [];
  page.on("console", (message) => void refused.push(message.text()));
  await page.goto(new URL(`/invitations/${slug}`, dashboard.url).href);
  expect(await statusOf(id)).toBe("invited");
  await page.getByRole("button", { name: button }).click();
  await page.getByRole("heading", { name: heading }).waitFor();
  expect(await statusOf(id)).toBe(status);
  const link = page.getByRole("link", { name: "Open Acme" });
  expect(await link.count()).toBe(links);
  if (links > 0) expect(await link.getAttribute("href")).toContain(`${slug}.example.test`);
  // Nothing that the page's own policy forbids.
  expect(refused).toEqual([]);
  await page.goto(new URL(`/invitations/${slug}`, dashboard.url).href);
  await page.getByText("This invitation is not open").waitFor();
  await context.close();
});
