/** Invitations in a browser without JavaScript. */
import { createHash } from "node:crypto";
import { findFaultsInAllViews } from "@tenantry/test-kit/accessibility";
import { openBrowser } from "@tenantry/test-kit/browser";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { AUDIENCE, type DashboardUnderTest, startDashboard } from "#workers/dashboard/testing/start-dashboard.ts";

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
] as const)("%s takes one click without JavaScript", async (button, status, heading, links) => {
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
  await expect.poll(() => link.count()).toBe(links);
  if (links > 0) await expect.poll(() => link.getAttribute("href")).toContain(`${slug}.example.test`);
  // The page does not violate its own policy.
  expect(refused).toEqual([]);
  await page.goto(new URL(`/invitations/${slug}`, dashboard.url).href);
  await page.getByRole("heading", { name: `This invitation was ${button.toLowerCase()}ed` }).waitFor();
  await expect.poll(() => link.count()).toBe(links);
  await context.close();
});

test("all invitation pages are accessible with the partner's branding, in light and dark, on desktop and phone", async () => {
  const { db, pool } = dashboard.database;
  const style = {
    colours: { accent: "#ffe14d", background: "#101426", text: "#f5f5f5" },
    support_address: "help@n.test",
  };
  const { id } = await db
    .insertInto("tenantry.partners")
    .values({ slug: "north", name: "North", style: JSON.stringify(style) })
    .returning("id")
    .executeTakeFirstOrThrow();
  const tokens = ["open", "expired", "withdrawn", "replaced", "accepted", "rejected"] as const;
  const users = new Map<string, string>();
  for (const token of tokens) users.set(token, await invite(token));
  await pool.query("update tenantry.clients set partner_id = $1 where slug = any($2)", [id, tokens]);
  const change = (token: string, set: string) =>
    pool.query(`update tenantry.client_users set ${set} where id = $1`, [users.get(token)]);
  await change("expired", "token_expires_at = now()");
  await change("withdrawn", "token_hash = null, token_expires_at = now()");
  await change("replaced", "token_hash = null");
  const page = await browser.newPage();
  const faults = async (token: string, heading: RegExp, act?: string) => {
    await page.goto(new URL(`/invitations/${token}`, dashboard.url).href);
    if (act !== undefined) await page.getByRole("button", { name: act }).click();
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    return findFaultsInAllViews(page);
  };
  expect(await faults("open", /You are invited to Acme/)).toEqual([]);
  await expect
    .poll(() => page.getByRole("link", { name: "help@n.test" }).first().getAttribute("href"))
    .toBe("mailto:help@n.test");
  expect(await faults("expired", /has expired/)).toEqual([]);
  expect(await faults("withdrawn", /was withdrawn/)).toEqual([]);
  expect(await faults("replaced", /was sent again/)).toEqual([]);
  expect(await faults("accepted", /Welcome to Acme/, "Accept")).toEqual([]);
  expect(await faults("accepted", /was accepted/)).toEqual([]);
  expect(await faults("rejected", /You rejected/, "Reject")).toEqual([]);
  expect(await faults("rejected", /was rejected/)).toEqual([]);
  expect(await faults("unknown", /Invitation not found/)).toEqual([]);
  await page.close();
});

test("a user without access to the dashboard sees their login and how to log out", async () => {
  const page = await browser.newPage();
  const open = async (token?: string) => {
    if (token !== undefined)
      await page.context().addCookies([{ name: "CF_Authorization", value: token, url: dashboard.url.href }]);
    return (await page.goto(dashboard.url.href))?.status();
  };
  expect(await open()).toBe(401);
  await page.getByRole("heading", { level: 1, name: "Log in" }).waitFor();
  expect(await findFaultsInAllViews(page)).toEqual([]);
  expect(await open(await dashboard.access.token({ email: "eve@else.test", aud: [AUDIENCE] }))).toBe(403);
  await page.getByRole("heading", { level: 1, name: "You do not have access" }).waitFor();
  await expect.poll(() => page.getByText("You are logged in as eve@else.test.").count()).toBe(1);
  const logOut = page.getByRole("link", { name: "Log out" }).first();
  await expect.poll(() => logOut.getAttribute("href")).toBe("/cdn-cgi/access/logout");
  expect(await findFaultsInAllViews(page)).toEqual([]);
  await page.context().close();
});
