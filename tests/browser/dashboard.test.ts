/** The dashboard's pages on a whole platform, with Access, the automation service and tenants. */

import { findAccessibilityFaults } from "@tenantry/test-kit/accessibility";
import { collectConsoleErrors, logIn, openBrowser } from "@tenantry/test-kit/browser";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ProvisionedPlatform, ROOT } from "../provisioning/testing/provisioned-platform.ts";
import { invitationsTo } from "../testing/mail.ts";

/** A partner root, and a user that it invites. */
const NORA = "nora@globex.example";
const IDA = "ida@wonka.example";
/** Enough for a busy machine. */
const SOON = { timeout: 120_000, interval: 200 };

let platform: ProvisionedPlatform;
let browser: Browser;
beforeAll(async () => {
  [platform, browser] = await Promise.all([ProvisionedPlatform.open(), openBrowser()]);
  const { data } = await platform.api<{ data: { id: string; slug: string }[] }>("GET", "/partner");
  const partner_id = data.find(({ slug }) => slug === "globex")?.id;
  await platform.api("POST", "/user", { email: NORA, name: "Nora", role: "PARTNER_ROOT", partner_id });
});
afterAll(async () => {
  await browser?.close();
  await platform?.close();
});

const at = (path: string) => `http://dash.tenantry.localhost:${platform.edge.port}${path}`;
const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
/** Waits for live events, because the page's own requests would show an earlier change. */
const isLive = (page: Page) => page.getByRole("status").filter({ hasText: "Live" }).waitFor();

/** A separate browser session, with timeouts for a busy machine. */
async function newContext(): Promise<BrowserContext> {
  const context = await browser.newContext();
  context.setDefaultTimeout(SOON.timeout);
  return context;
}

/** Opens an address, and logs in if Access asks for it. */
async function enter(page: Page, email: string, address: string): Promise<void> {
  await page.goto(address);
  if ((await page.getByLabel(/e-?mail/i).count()) > 0) await logIn(page, email);
  await page.waitForLoadState();
}

/** Logs in and opens a page of the dashboard in a separate browser session. */
async function open(
  email: string,
  path: string,
): Promise<{ page: Page; complaints: string[]; close(): Promise<void> }> {
  const context = await newContext();
  const page = await context.newPage();
  // Access admits a new root after a delay.
  await expect
    .poll(async () => {
      await enter(page, email, at(path));
      return new URL(page.url()).host;
    }, SOON)
    .toBe(new URL(at("/")).host);
  const complaints = collectConsoleErrors(page);
  await isLive(page);
  return { page, complaints, close: () => context.close() };
}

test("a partner root creates and runs a client, other open pages follow, and an invited user gets access", async () => {
  const office = await open(ROOT, "/clients");
  const { page, complaints, close } = await open(NORA, "/clients/new");
  for (const absent of ["Partners", "AI gateways", "Capacity"]) {
    expect(await page.getByRole("link", { name: absent, exact: true }).count()).toBe(0);
  }
  await page.getByLabel("Slug").fill("wonka");
  await page.getByLabel("Name").fill("Wonka");
  for (const reported of ["wonka.tenantry.localhost", "pool-a"]) await page.getByText(reported).first().waitFor();
  await page.getByRole("button", { name: "Create client" }).click();
  await page.waitForURL(/\/clients\/[^/]+\/instance$/);
  await row(office.page, "wonka").getByText("provisioning").waitFor();

  const job = page.getByRole("region", { name: "Provision", exact: true });
  await job.getByRole("progressbar").waitFor();
  const steps = job.getByRole("list", { name: "Steps" }).getByRole("listitem");
  await steps.filter({ hasText: /^done.*NamespacedScript/s }).waitFor();
  await job.getByRole("progressbar").waitFor({ state: "detached" });
  await page.getByText("The client is a draft", { exact: true }).waitFor();
  await row(office.page, "wonka").getByText("running").waitFor();
  await page.getByRole("button", { name: "Activate client" }).click();
  await page.getByText("Wonka activated").waitFor();
  await row(office.page, "wonka").getByText("active", { exact: true }).waitFor();
  const health = page.getByRole("region", { name: "Health" });
  await health.getByText("Live from the agent").waitFor();
  await page.getByRole("button", { name: "Restart" }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);

  await page.getByRole("link", { name: "Users" }).click();
  await page.getByRole("button", { name: "Invite" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Invite user to Wonka" });
  await dialog.getByLabel("Email address").fill(IDA);
  await dialog.getByRole("button", { name: "Send invitation" }).click();
  await page.getByText(`Invitation to ${IDA} sent`).waitFor();
  const [link = ""] = await invitationsTo(platform.edge, IDA);
  const home = await newContext();
  const hers = await home.newPage();
  await hers.goto(link);
  await hers.getByText("Globex invites you").first().waitFor();
  await hers.getByRole("button", { name: "Accept" }).click();
  await hers.getByRole("link", { name: /^Open / }).waitFor();
  await row(page, IDA).getByText("accepted", { exact: true }).waitFor();
  // The automation service adds the user to Access.
  await expect
    .poll(async () => {
      await enter(hers, IDA, `http://wonka.tenantry.localhost:${platform.edge.port}/`);
      return hers.getByText("Gateway of wonka").isVisible();
    }, SOON)
    .toBe(true);

  await page.getByRole("link", { name: "Instance" }).click();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Freeze instance…" }).click();
  await page.getByRole("dialog", { name: "Freeze instance" }).getByRole("button", { name: "Freeze" }).click();
  await row(office.page, "wonka").getByText("frozen").waitFor();
  await expect.poll(async () => (await hers.reload())?.status(), SOON).toBe(403);
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("dialog", { name: "Resume instance" }).getByRole("button", { name: "Resume" }).click();
  await row(office.page, "wonka").getByText("running").waitFor();
  // The browser logs a rejected stream, as during provisioning and freezes.
  for (const heard of [complaints, office.complaints]) {
    expect(heard.filter((complaint) => !complaint.includes("/api/health/ws"))).toEqual([]);
  }
  await Promise.all([close(), office.close(), home.close()]);
});

test("a platform root sees the pool usage, jobs, audit entries and capacity", async () => {
  const client = await platform.newClient("hooli");
  const { page, complaints, close } = await open(ROOT, "/gateways");
  const used = row(page, "pool-a").getByRole("meter");
  const before = Number.parseInt((await used.getAttribute("aria-valuetext")) ?? "", 10);
  const asked = await platform.provision(client.id);
  await expect.poll(() => used.getAttribute("aria-valuetext"), SOON).toBe(`${before + 1} of 2`);

  await page.getByRole("link", { name: "Jobs" }).click();
  await row(page, "hooli").getByText("succeeded").first().waitFor();
  expect(await platform.ended(asked.job?.id)).toMatchObject({ status: "succeeded" });
  await page.getByRole("link", { name: "Audit" }).click();
  await page
    .getByRole("list", { name: "Changes" })
    .getByRole("listitem")
    .filter({ hasText: "client hooli" })
    .first()
    .waitFor();
  await page.getByRole("link", { name: "Capacity" }).click();
  await page.getByRole("meter", { name: "Access applications" }).waitFor();
  await page.getByRole("link", { name: "Overview" }).click();
  await page
    .getByRole("link", { name: /Running/ })
    .first()
    .waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test("a platform root manages partners, roots, credit, images and deletions, and another root sees each change", async () => {
  const { id } = await platform.newClient("tyrell");
  const { page, complaints, close } = await open(ROOT, "/partners");
  const other = await open(ROOT, "/partners");
  await page.getByRole("link", { name: "Create partner" }).click();
  await page.getByLabel("Name").fill("Nakatomi Services");
  await page.getByLabel("Slug").fill("nakatomi");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { level: 1, name: "Nakatomi Services" }).waitFor();
  await row(other.page, "Nakatomi Services").waitFor();
  await page.getByLabel("Display name").fill("Nakatomi");
  await page.frameLocator('iframe[title^="Invitation page"]').getByText("Nakatomi invites you").waitFor();
  await page.getByRole("button", { name: "Save branding" }).click();
  await page.getByText("Branding saved").waitFor();

  await other.page.getByRole("link", { name: "People" }).click();
  await page.getByRole("link", { name: "People" }).click();
  await page.getByRole("button", { name: "Add user" }).click();
  const user = page.getByRole("dialog", { name: "Add user" });
  await user.getByLabel("Email address").fill("joe@nakatomi.example");
  await user.getByLabel("Role").selectOption("PARTNER_ROOT");
  await user.getByLabel("Partner").selectOption({ label: "Nakatomi Services" });
  await user.getByRole("button", { name: "Add" }).click();
  await row(other.page, "joe@nakatomi.example").getByText("Partner root").waitFor();
  const joe = await open("joe@nakatomi.example", "/clients");
  await joe.page.getByText("No clients yet").waitFor();

  await other.page.goto(at(`/clients/${id}/billing`));
  await isLive(other.page);
  await page.goto(at(`/clients/${id}/billing`));
  await page.getByRole("button", { name: "Top up" }).click();
  const sale = page.getByRole("dialog", { name: /^Top up/ });
  await sale.getByLabel("Amount in US dollars").fill("50");
  await sale.getByLabel("Reference").fill("order-1");
  await sale.getByRole("button", { name: "Book payment" }).click();
  await row(page, "order-1").waitFor();

  await page.getByRole("link", { name: "Versions" }).click();
  await page.getByRole("button", { name: "Add image" }).first().click();
  const image = page.getByRole("dialog", { name: "Add image" });
  await image.getByRole("textbox", { name: "Image" }).fill(`registry.example/gateway@sha256:${"a".repeat(64)}`);
  await image.getByRole("textbox", { name: "Version" }).fill("2.0.0");
  await image.getByRole("button", { name: "Add" }).click();
  await row(page, "2.0.0").waitFor();

  await page.goto(at(`/clients/${id}/settings`));
  await page.getByRole("button", { name: "Delete client…" }).click();
  const deletion = page.getByRole("dialog");
  await deletion.getByRole("textbox").fill("tyrell");
  await deletion.getByRole("button", { name: "Delete client" }).click();
  await other.page.getByText("Deletion scheduled").first().waitFor();
  await page.getByRole("button", { name: "Restore" }).first().click();
  await other.page.getByText("Deletion scheduled").first().waitFor({ state: "detached" });
  for (const heard of [complaints, other.complaints, joe.complaints]) expect(heard).toEqual([]);
  await Promise.all([close(), other.close(), joe.close()]);
});
