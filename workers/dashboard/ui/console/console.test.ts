/** The console's pages, for an ADMIN and a BASE_USER of a tenant. */
import { gzipSync } from "node:zlib";
import { findFaultsInAllViews } from "@tenantry/test-kit/accessibility";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { clientUserRoutes } from "#workers/contracts/api/people/invitations.ts";
import { DOMAIN, heading, isExpected, snapshot } from "#workers/dashboard/testing/start-instance-pages.ts";
import { ADMIN, DEVICES, device, settled, startAcmeConsole, USER } from "./testing/acme-console.ts";
import type { ConsolePages } from "./testing/start-console.ts";

let console: ConsolePages;
let client: string;
let instance: string;
beforeAll(async () => {
  ({ console, client, instance } = await startAcmeConsole());
});
afterAll(() => console?.stop());
beforeEach(() => console.answerAsUsual());

/** The pages of the navigation by the name of their group. */
async function places(page: Page): Promise<Record<string, string[]>> {
  const lists = await page.getByRole("navigation", { name: "Main" }).getByRole("list").all();
  const named = lists.map(async (list) => {
    const links = await list.getByRole("link").allInnerTexts();
    const name = /^- list "(.*)":/.exec(await list.ariaSnapshot())?.[1] ?? "";
    return [name, links] as const;
  });
  return Object.fromEntries(await Promise.all(named));
}

const PAGES: readonly (readonly [path: string, heading: string])[] = [
  ["", "Acme"],
  ["people", "People"],
  ["channels", "Channels"],
  ["models", "Models"],
  ["backups", "Backups"],
  ["files", "Files"],
  ["logs", "Logs"],
  ["doctor", "Doctor"],
  ["network", "Network"],
  ["version", "Version"],
  ["billing", "Billing"],
  ["notifications", "Notifications"],
  ["changes", "Changes"],
  ["danger", "Export and delete"],
];

test.each(PAGES)(
  "an ADMIN opens the page '%s' without a refused request, and everyone can use it",
  async (path, title) => {
    const { page, complaints, refused, close } = await console.enter("acme", ADMIN, path);
    await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
    await settled(page);
    expect(await places(page)).toEqual({
      Agent: ["Home", "Channels", "Files"],
      Access: ["People", "Network"],
      Cost: ["Billing", "Models"],
      Maintenance: ["Backups", "Changes", "Doctor", "Version", "Logs"],
      Settings: ["Notifications", "Export and delete"],
    });
    expect(await page.title()).toBe(`${title} · Northwind`);
    expect(await findFaultsInAllViews(page)).toEqual([]);
    expect(refused).toEqual([]);
    expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
    await close();
  },
);

test("a BASE_USER sees the state and its own tokens, and on other pages whom to ask", async () => {
  const { page, complaints, refused, close } = await console.enter("acme", USER);
  await heading(page, "Your agent").waitFor();
  await settled(page);
  expect(await places(page)).toEqual({ Agent: ["Home"], Access: ["Service tokens"] });
  expect(await page.getByRole("button", { name: /Restart|Sleep|backup/ }).count()).toBe(0);
  expect(await findFaultsInAllViews(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("link", { name: "Service tokens" }).click();
  await page.getByText("No service tokens yet").waitFor();
  expect(await findFaultsInAllViews(page)).toEqual([]);
  await page.goto(new URL("/console/acme/billing", page.url()).href);
  await page.getByText("For administrators only").waitFor();
  expect(refused).toEqual([]);
  expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
  await close();
});

test("the colours are those of the partner", async () => {
  const { page, close } = await console.enter("acme", ADMIN);
  await heading(page, "Your agent").waitFor();
  const accent = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--accent"));
  await expect.poll(accent).toContain("#7a1fa2");
  await page.getByRole("link", { name: "help@north.test" }).waitFor();
  await close();
});

test("after the session's end the page leads through the login at the tenant; an open form stays until the user goes on", async () => {
  const { page, close } = await console.enter("acme", ADMIN, "people");
  const invite = page.getByRole("button", { name: "Invite user" });
  await invite.click();
  const dialog = page.getByRole("dialog", { name: "Invite user to Acme" });
  await dialog.getByLabel("Email address").fill("carol@acme.test");
  await page.context().clearCookies();
  await dialog.getByRole("button", { name: "Send invitation" }).click();
  const expired = page.getByRole("dialog", { name: "Your session has expired" });
  await expired.waitFor();
  expect(new URL(page.url()).pathname).toBe("/console/acme/people");
  await expired.getByRole("button", { name: "Log in again" }).click();
  const login = new RegExp(`^http://acme\\.${DOMAIN.replace(".", "\\.")}:\\d+/\\.tenantry/$`);
  await page.waitForURL(login);
  await close();

  const idle = await console.enter("acme", ADMIN, "backups");
  await idle.page.getByRole("table", { name: "Backups" }).waitFor();
  await idle.page.context().clearCookies();
  await idle.page.getByRole("button", { name: "Refresh backups" }).dispatchEvent("click");
  await idle.page.waitForURL(login);
  await idle.close();
});

test("a change by another administrator appears without a reload", async () => {
  const { page, close } = await console.enter("acme", ADMIN, "people");
  await page
    .getByRole("status")
    .filter({ hasText: /^Live$/ })
    .waitFor();
  const { body } = await console.call(clientUserRoutes.inviteClientUser, {
    as: "north",
    params: { client_id: client },
    body: { email: "dora@acme.test", role: "BASE_USER", instance_ids: [instance] },
  });
  expect(body.status).toBe("invited");
  await console.pushEvents();
  await page.getByRole("row").filter({ hasText: "dora@acme.test" }).waitFor({ timeout: 10_000 });
  await close();
});

test("an administrator changes the maintenance window", async () => {
  await console.database.pool.query("update tenantry.clients set managed_by = 'dashboard' where id = $1", [client]);
  const { page, close } = await console.enter("acme", ADMIN);
  await page.getByRole("button", { name: "Change window" }).click();
  const dialog = page.getByRole("dialog", { name: "Change the maintenance window" });
  await dialog.getByRole("checkbox", { name: "Only within a window" }).check();
  await dialog.getByLabel("Hours").fill("3");
  expect(await findFaultsInAllViews(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Save window" }).click();
  await page.getByText(/^Every day from 02:00 for 3 h/).waitFor();
  await close();
});

test("the log is searched", async () => {
  const { page, close } = await console.enter("acme", ADMIN, "logs");
  const lines = page.getByRole("region", { name: "Log lines" });
  await lines.getByText("one").waitFor();
  await page.getByRole("searchbox", { name: "Search the log" }).fill("TWO");
  await expect.poll(() => lines.textContent()).toBe("two");
  await close();
});

test("an ADMIN sets mails and a webhook, sees its secret once, and keeps entries when another window saves first", async () => {
  const { page, close } = await console.enter("acme", ADMIN, "notifications");
  const restore = page.getByLabel("Mail: Backup restored");
  const save = page.getByRole("button", { name: "Save settings" });
  await restore.selectOption("Daily mail");
  const address = page.getByLabel("Webhook address");
  await address.fill("http://hooks.example.com/in");
  await page.getByText("The address must begin with https://.").waitFor();
  await expect.poll(() => save.isDisabled()).toBe(true);
  await address.fill("https://hooks.example.com/in");
  await page.getByLabel("Webhook: New invoice").check();
  await save.click();
  const dialog = page.getByRole("dialog", { name: "Secret of the webhook" });
  await dialog.getByText(/^whsec_[A-Za-z0-9+/]{43}=$/).waitFor();
  await dialog.getByRole("button", { name: "Done" }).click();

  await page.reload();
  await page.getByText("The present webhook is at hooks.example.com.").waitFor();
  await expect.poll(() => restore.inputValue()).toBe("daily");
  await expect.poll(() => page.getByLabel("Webhook: New invoice").isChecked()).toBe(true);
  expect(await page.content()).not.toContain("whsec_");

  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByLabel("Mail: New version").selectOption("Off");
  await restore.selectOption("Off");
  await other.getByRole("button", { name: "Save settings" }).click();
  await other.getByText("Notification settings saved").waitFor();
  await save.click();
  await page.getByRole("button", { name: "Reload" }).click();
  await expect.poll(() => page.getByLabel("Mail: New version").inputValue()).toBe("off");
  await expect.poll(() => restore.inputValue()).toBe("off");
  await save.click();
  await page.getByText("Notification settings saved").waitFor();
  await close();
});

test("an ADMIN requests a test notification, and sees what failed", async () => {
  const { page, close } = await console.enter("acme", ADMIN, "notifications");
  await page.getByText("No deliveries yet").waitFor();
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByText("Test requested").waitFor();
  const { db } = console.database;
  const { id } = await db
    .selectFrom("tenantry.notifications")
    .select("id")
    .where("kind", "=", "test")
    .executeTakeFirstOrThrow();
  const user = await db
    .selectFrom("tenantry.client_users")
    .select("id")
    .where("email", "=", ADMIN)
    .executeTakeFirstOrThrow();
  const failed = { state: "failed", attempts: 3, answer: "HTTP 500", ended_at: new Date() };
  await db
    .insertInto("tenantry.notification_deliveries")
    .values({ notification_id: id, client_user_id: user.id, channel: "webhook", ...failed })
    .execute();
  await page.reload();
  const row = page.getByRole("row").filter({ hasText: "Test notification of Acme" });
  await row.getByText("Failed").waitFor();
  expect(await findFaultsInAllViews(page)).toEqual([]);
  await close();
});

const asks = (name: string) => ({ ...device(name), requestId: `r-${name}` });
const paired = (name: string) => ({ ...device(name), connected: true });

test("an ADMIN approves, rejects and removes devices, and wakes the agent to see them", async () => {
  const { answers, asked } = console.tenants;
  const message = "Devices can be read only while the agent runs.";
  answers.set(DEVICES, {
    status: 409,
    body: { error: { code: "conflict", reason: "devices_need_running_agent", message } },
  });
  const { page, close } = await console.enter("acme", ADMIN, "people");
  const card = page.getByRole("region", { name: "Devices", exact: true });
  await card.getByText("Devices show while the agent runs").waitFor();
  expect(await findFaultsInAllViews(page)).toEqual([]);
  const old = { code: "conflict", reason: "tenant_without_order", message: "Earlier version." };
  answers.set(DEVICES, { status: 409, body: { error: old } });
  await page.reload();
  await card.getByText("Only your operator can do this", { exact: false }).waitFor();
  answers.set(DEVICES, {
    status: 409,
    body: { error: { code: "conflict", reason: "devices_need_running_agent", message } },
  });
  await page.reload();
  await card.getByText("Devices show while the agent runs").waitFor();
  answers.set("/api/health", { body: { ...snapshot(false, false, true), status: "starting" } });
  answers.set(DEVICES, { body: { pending: [asks("Laptop"), asks("Stranger")], paired: [paired("Terminal")] } });
  await card.getByRole("button", { name: "Wake" }).click();
  await page.getByText("Acme wakes up").waitFor();
  await card.getByText("Waits for approval").first().waitFor();
  // The toast covers another control.
  await page.reload();
  await card.getByText("Waits for approval").first().waitFor();
  expect(await findFaultsInAllViews(page)).toEqual([]);

  const change = async (action: string, name: string, body: object) => {
    await card.getByRole("button", { name: `${action} ${name}` }).click();
    const dialog = page.getByRole("dialog", { name: `${action} ${name}?` });
    expect(await findFaultsInAllViews(page)).toEqual([]);
    answers.set(DEVICES, { body });
    await dialog.getByRole("button", { name: action, exact: true }).click();
  };
  const afterApproval = { pending: [asks("Stranger")], paired: [paired("Terminal"), paired("Laptop")] };
  await change("Approve", "Laptop", { ...afterApproval, device: { deviceId: "Laptop", name: "Laptop" } });
  await page.getByText("Laptop approved").waitFor();
  await card.getByRole("button", { name: "Remove Laptop" }).waitFor();
  const afterRejection = { pending: [], paired: afterApproval.paired };
  await change("Reject", "Stranger", { ...afterRejection, device: { deviceId: "Stranger", name: "Stranger" } });
  await page.getByText("Stranger rejected").waitFor();
  const afterRemoval = { pending: [], paired: [paired("Laptop")] };
  await change("Remove", "Terminal", { ...afterRemoval, device: { deviceId: "Terminal", name: "Terminal" } });
  await page.getByText("Terminal removed").waitFor();
  await expect.poll(() => card.getByRole("listitem").count()).toBe(1);
  expect(asked.filter((call) => call.includes(DEVICES) && call.startsWith("POST"))).toHaveLength(3);
  await close();
});

test("the first page loads at most 200 kB of compressed JavaScript", async () => {
  const { page, close } = await console.enter("acme", ADMIN);
  await heading(page, "Your agent").waitFor();
  await settled(page);
  const scripts = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .map(({ name }) => name)
      .filter((name) => new URL(name).pathname.endsWith(".js")),
  );
  const files = await Promise.all([...new Set(scripts)].map(async (url) => (await page.request.get(url)).body()));
  const bytes = files.reduce((total, file) => total + gzipSync(file).length, 0);
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThan(200_000);
  await close();
});
