/** What an ADMIN does in the console without any guide: each begins at the first page and follows its links. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { draftInvoice, issueInvoice } from "#database/billing/invoice-issue.ts";
import { storeDay } from "#database/testing/billing.ts";
import { heading, isExpected, ADMIN as TENANT_ADMIN } from "#workers/dashboard/testing/start-instance-pages.ts";
import { startVendorApis, type VendorApis } from "#workers/dashboard/testing/vendor-apis.ts";
import { formatDay, formatLongDay } from "#workers/dashboard/ui/kit/format.ts";
import { addSpending } from "./testing/add-calls.ts";
import { type ConsolePages, startConsole } from "./testing/start-console.ts";

const ADMIN = "ada@acme.test";
const TOKEN = "700:AAF-secret_of_the_bot_123456789";
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

let console: ConsolePages;
let vendors: VendorApis;
let client: string;
let instance: string;
beforeAll(async () => {
  vendors = await startVendorApis();
  const CHANNEL_APIS = JSON.stringify({ telegram: vendors.url, slack: vendors.url });
  console = await startConsole({ CHANNEL_APIS });
  ({ client, instance } = await console.made("acme"));
  await console.addUser(client, instance, ADMIN, "ADMIN");
  await console.database.db
    .updateTable("tenantry.clients")
    .set({ created_at: new Date(Date.now() - 120 * DAY_MS) })
    .where("id", "=", client)
    .execute();
});
afterAll(async () => {
  await console?.stop();
  await vendors?.stop();
});
beforeEach(() => console.answerAsUsual());

async function open(place: string): Promise<Awaited<ReturnType<ConsolePages["enter"]>>> {
  const opened = await console.enter("acme", ADMIN);
  await heading(opened.page, "Your agent").waitFor();
  await opened.page.getByRole("link", { name: place, exact: true }).click();
  return opened;
}
const expectNoFaults = ({ refused, complaints }: Awaited<ReturnType<typeof open>>) => {
  expect(refused).toEqual([]);
  expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
};
const sentences = (page: Page, title: string) => page.getByRole("region", { name: title }).getByRole("paragraph");

test("connects Telegram with the token of a bot", async () => {
  vendors.bots.set(TOKEN, { id: "700", name: "acme_bot" });
  const opened = await open("Channels");
  const { page, close } = opened;
  await page.getByRole("button", { name: "Connect channel" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Connect channel" });
  // Nothing else is to be chosen or entered.
  await expect.poll(() => dialog.getByLabel("Messenger").inputValue()).toBe("telegram");
  const token = dialog.getByLabel("Bot token", { exact: true });
  await token.fill(TOKEN);
  await expect.poll(() => token.getAttribute("type")).toBe("password");
  await dialog.getByRole("button", { name: "Show Bot token" }).click();
  await expect.poll(() => token.getAttribute("type")).toBe("text");
  await dialog.getByRole("button", { name: "Connect channel" }).click();
  const connected = page.getByRole("dialog", { name: "@acme_bot added" });
  await connected.getByRole("status").getByText("sending token").waitFor();
  await connected.getByText("Next steps").waitFor();
  await connected.getByRole("button", { name: "Done" }).click();
  await page.getByRole("table", { name: "Channels" }).getByText("Telegram").waitFor();
  // Its webhook is named as the channel's, and is deleted with it only.
  await page.getByRole("table", { name: "Webhooks" }).getByText("of channel @acme_bot").waitFor();
  await page.getByRole("button", { name: "Actions for telegram", exact: true }).click();
  await page.getByRole("menuitem", { name: "Disable webhook" }).waitFor();
  expect(await page.getByRole("menuitem", { name: "Delete webhook" }).count()).toBe(0);
  await page.keyboard.press("Escape");
  const stored = await console.database.pool.query("select kind, account_name, created_by from tenantry.channels");
  expect(stored.rows).toEqual([
    { kind: "telegram", account_name: expect.stringContaining("acme_bot"), created_by: ADMIN },
  ]);
  expectNoFaults(opened);
  await close();
});

test("restores yesterday's backup, after it read what that loses, and sees the end", async () => {
  const gateway = { name: "openclaw", version: "2026.9.6" };
  const backup = (id: string, ago: number, reason = "scheduled") => ({
    ...{ id, createdAt: new Date(Date.now() - ago).toISOString(), bytes: 52_000_000, gateway, origin: { reason } },
  });
  const backups = [backup("today", HOUR_MS), backup("yesterday", 26 * HOUR_MS)];
  console.tenants.answers.set(`${TENANT_ADMIN}/backups`, { body: { state: "known", backups, damaged: [] } });
  const changed = { path: "workspace/MEMORY.md", modifiedAt: new Date().toISOString() };
  console.tenants.answers.set(`${TENANT_ADMIN}/backups/yesterday/changes`, { body: { count: 1, first: [changed] } });
  const opened = await open("Backups");
  const { page, close } = opened;
  const table = page.getByRole("table", { name: "Backups" });
  await table
    .getByRole("rowheader", { name: /^(Today|Yesterday), / })
    .first()
    .waitFor();
  const row = table.getByRole("row").filter({ hasText: "1 day ago" });
  await row.getByRole("button", { name: /^Restore/ }).click();
  const dialog = page.getByRole("dialog", { name: "Restore backup" });
  await dialog.getByText("1 file was changed since then. All that is new there is lost", { exact: false }).waitFor();
  await dialog.getByText("workspace/MEMORY.md").waitFor();
  await dialog.getByText("The present state is backed up first", { exact: false }).waitFor();
  await dialog.getByRole("button", { name: "Restore backup" }).click();
  await page.getByText("Restore backup: waiting to start").waitFor();
  await page.getByText("The platform starts it, usually within a minute.", { exact: false }).waitFor();
  await page.getByText("Until it is done, you cannot restore, back up, restart or sleep.").waitFor();
  await expect.poll(() => row.getByRole("button", { name: /^Restore/ }).isDisabled()).toBe(true);
  await expect.poll(() => page.getByRole("button", { name: "Create backup" }).isDisabled()).toBe(true);
  const { pool } = console.database;
  const jobs = await pool.query("select payload, requested_by from tenantry.jobs where kind = 'restore_backup'");
  expect(jobs.rows).toEqual([{ payload: { backup_id: "yesterday", discard_present: false }, requested_by: ADMIN }]);
  backups.unshift(backup("before", 60_000, "before_restore"));
  console.tenants.answers.set(`${TENANT_ADMIN}/backups`, { body: { state: "known", backups, damaged: [] } });
  await pool.query(
    "update tenantry.jobs set status = 'succeeded', started_at = now() - interval '10 minutes', ended_at = now()",
  );
  await page.getByText("Restore backup: done").waitFor();
  const trace = page.getByRole("note").filter({ hasText: /^Restored from the backup of .+ by you, / });
  await trace.waitFor();
  await page.reload();
  await trace.waitFor();
  await trace.getByText(/To undo this, restore the backup of .+ \(before a restore\)\./).waitFor();
  await expect.poll(() => row.getByRole("button", { name: /^Restore/ }).isDisabled()).toBe(false);
  await pool.query("update tenantry.jobs set status = 'failed', cause = 'The backup is damaged.'");
  await page.reload();
  await page
    .getByRole("note")
    .filter({ hasText: "The last restore failed" })
    .getByText("The backup is damaged.", { exact: false })
    .waitFor();
  expectNoFaults(opened);
  await close();
});

test("finds out why the bill doubled", async () => {
  const { db } = console.database;
  const now = new Date();
  const monthAgo = (count: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1)).toISOString().slice(0, 7);
  for (const [month, dollars, gpt, bob] of [
    [monthAgo(2), 20n, 10, 4],
    [monthAgo(1), 55n, 40, 30],
  ] as const) {
    const at = Date.parse(`${month}-12T10:00:00Z`);
    addSpending(console.cloudflare, { at, tenant: "acme", model: "gpt-5", person: "bob@acme.test", dollars: bob });
    addSpending(console.cloudflare, { at, tenant: "acme", model: "gpt-5", dollars: gpt - bob });
    addSpending(console.cloudflare, { at, tenant: "acme", model: "gpt-5-mini", dollars: Number(dollars) - gpt });
    await storeDay(db, client, { day: `${month}-12`, metric: "ai_spend", quantity: dollars * 1_000_000n }, now);
    await storeDay(db, client, { day: `${month}-20`, metric: "ai_spend", quantity: 1_000_000n }, now);
    await db.transaction().execute(async (tx) => issueInvoice(tx, (await draftInvoice(tx, client, month)).id, now));
  }
  const opened = await open("Billing");
  const { page, close } = opened;
  const why = sentences(page, "Why the last invoice changed");
  await why.getByText(/The largest change is Model cost: \$\d+\.\d\d after \$\d+\.\d\d\./).waitFor();
  await page
    .getByRole("table", { name: "Invoices compared" })
    .getByRole("row", { name: /^Model cost/ })
    .waitFor();
  // The cause is on the bill.
  const peak = formatLongDay(`${monthAgo(1)}-12`);
  await why.getByText(`Model cost was highest on ${peak}: $55.00 of the month's $56.00.`, { exact: false }).waitFor();
  await why.getByText("The model whose cost grew most is gpt-5: $40.00 after $10.00.", { exact: false }).waitFor();
  await why
    .getByText(
      "The person whose cost grew most, as the calling programs state it, is bob@acme.test: $30.00 after $4.00.",
      { exact: false },
    )
    .waitFor();
  await why.getByRole("link", { name: `Calls of ${formatDay(`${monthAgo(1)}-12`)}` }).click();
  await page.getByRole("heading", { level: 1, name: "Models" }).waitFor();
  await expect.poll(() => page.getByLabel("Period", { exact: true }).inputValue()).toBe(monthAgo(1));
  await expect.poll(() => page.getByLabel("Day of the calls").inputValue()).toBe(`${monthAgo(1)}-12`);
  await page
    .getByRole("region", { name: "Usage", exact: true })
    .getByText(`Model cost was highest on ${peak}: $55.00.`)
    .waitFor();
  await page.getByRole("link", { name: "Table", exact: true }).click();
  await expect.poll(() => page.getByRole("table", { name: "Model cost, by day" }).getByRole("row").count()).toBe(3);
  expectNoFaults(opened);
  await close();
});

test("invites a colleague who may only chat", async () => {
  const opened = await open("People");
  const { page, close } = opened;
  await page.getByRole("button", { name: "Invite user" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite user to Acme" });
  await dialog.getByText("Chat only: may chat with the agent", { exact: false }).waitFor();
  expect(await dialog.getByLabel("Role").locator("option:checked").textContent()).toBe("Chat only");
  await dialog.getByLabel("Email address").fill("carol@acme.test");
  await dialog.getByRole("button", { name: "Send invitation" }).click();
  const row = page.getByRole("row").filter({ hasText: "carol@acme.test" });
  await row.getByText("invited").waitFor();
  await page.getByText("A queued mail is usually sent within two minutes.").waitFor();
  const inSevenDays = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "Europe/Berlin" });
  await row
    .getByText(`Expires ${inSevenDays.format(Date.now() + 7 * DAY_MS)}`)
    .last()
    .waitFor();
  const invited = await console.database.pool.query(
    "select role, status from tenantry.client_users where email = 'carol@acme.test'",
  );
  expect(invited.rows).toEqual([{ role: "BASE_USER", status: "invited" }]);
  expectNoFaults(opened);
  await close();
});
