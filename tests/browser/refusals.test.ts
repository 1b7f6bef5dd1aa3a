/** The error pages of a tenant that a user cannot open. */

import { findFaultsInAllViews } from "@tenantry/test-kit/accessibility";
import { openBrowser } from "@tenantry/test-kit/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ShownPartner } from "#workers/contracts/branding.ts";
import { type DispatchUnderTest, startDispatch, tenant } from "#workers/dispatch/testing/start-dispatch.ts";

/** Resolves to this machine in browsers. */
const DOMAIN = "tenantry.localhost";
const ID = "00000000-0000-4000-8000-0000000000aa";
const partner = (style: unknown): ShownPartner => ({
  id: ID,
  name: "North",
  logo_key: `partners/${ID}/0a1b/upload`,
  style: style as ShownPartner["style"],
});
const NORTH = partner({
  display_name: "North & Sons",
  colours: { accent: "#0b6b3a", background: "#f3f8f1", text: "#123022" },
  support_address: "help@north.test",
});
const NIGHT = partner({ colours: { accent: "#ffb000", background: "#101426", text: "#f5f5f5" } });

let dispatch: DispatchUnderTest;
let browser: Browser;
beforeAll(async () => {
  dispatch = await startDispatch({ PLATFORM_DOMAIN: DOMAIN });
  browser = await openBrowser();
  const add = (slug: string, changes: Parameters<typeof tenant>[1]) =>
    dispatch.rest.tenants.set(slug, tenant(slug, { partner: NORTH, ...changes }));
  add("iced", { instance_status: "frozen" });
  add("halted", { instance_status: "stopped", partner: NIGHT });
  add("planned", { client_status: "draft", partner: null });
  add("acme", {});
  add("unset", { worker_name: "tenant-missing" });
  add("lame", { partner: NIGHT });
  for (const slug of ["unset", "lame"]) dispatch.rest.roles.set(`${slug} ada@acme.test`, "BASE_USER");
});
afterAll(async () => {
  await browser?.close();
  await dispatch?.stop();
});

/** Opens an address, logged in as `email` if given. */
async function open(slug: string, { email, path = "/" }: { email?: string; path?: string } = {}) {
  const context = await browser.newContext();
  const url = `http://${slug}.${DOMAIN}:${dispatch.url.port}`;
  if (email !== undefined) {
    const value = await dispatch.access.token({ email, aud: [`audience-of-${slug}`] });
    await context.addCookies([{ name: "CF_Authorization", value, url, httpOnly: true }]);
  }
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) complaints.push(message.text());
  });
  const logos: string[] = [];
  await page.route("**/logos/**", (route) => {
    logos.push(route.request().url());
    return route.fulfill({
      contentType: "image/svg+xml",
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>',
    });
  });
  const status = (await page.goto(url + path))?.status();
  return { page, status, complaints, logos, close: () => context.close() };
}

const says = async (page: Page, heading: string, ...texts: (string | RegExp)[]) => {
  await expect.poll(() => page.getByRole("heading", { level: 1 }).allTextContents()).toEqual([heading]);
  for (const text of texts) expect([text, await page.getByText(text).count()]).not.toEqual([text, 0]);
};

test.each([
  ["iced", {}, 403, "This tenant is frozen", [/Ask North & Sons \(help@north\.test\) to resume it/]],
  ["halted", {}, 403, "This tenant is stopped", ["Ask your operator to start it."]],
  ["planned", {}, 403, "This tenant is not active yet", ["Tenantry"]],
  ["acme", {}, 401, "Log in to continue", ["Log in to reach this tenant."]],
  ["acme", { email: "bob@else.test" }, 403, "You do not have access", ["You are logged in as bob@else.test."]],
  ["nobody", {}, 404, "Tenant not found", [/nobody\.tenantry\.localhost/]],
  ["unset", { email: "ada@acme.test" }, 503, "Temporarily unavailable", ["Try again in 5 seconds."]],
  ["lame", { email: "ada@acme.test", path: "/over-limit" }, 429, "Too many requests", [/limits of the plan/]],
  [
    "lame",
    { email: "ada@acme.test", path: "/throws" },
    502,
    "This tenant does not respond",
    ["Logged in as ada@acme.test"],
  ],
] as const)("%s, %j: %i, %s", async (slug, as, status, heading, texts) => {
  const opened = await open(slug, as);
  expect(opened.status).toBe(status);
  await says(opened.page, heading, "What to do", ...texts);
  const shown = dispatch.rest.tenants.get(slug)?.partner;
  const logo = `http://dash.${DOMAIN}:${dispatch.url.port}/logos/${ID}?hash=0a1b`;
  expect(opened.logos).toEqual(shown ? [logo] : []);
  expect(opened.complaints).toEqual([]);
  await opened.close();
});

test("all error pages are accessible, in light and dark, on desktop and phone", async () => {
  for (const [slug, as] of [
    ["iced", {}],
    ["halted", {}],
    ["acme", { email: "a-rather-long-address-of-somebody@a-rather-long-name-of-a-department.example.test" }],
    ["nobody", {}],
    ["lame", { email: "ada@acme.test", path: "/throws" }],
  ] as const) {
    const opened = await open(slug, as);
    expect([slug, await findFaultsInAllViews(opened.page)]).toEqual([slug, []]);
    await opened.close();
  }
});
