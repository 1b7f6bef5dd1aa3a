/** The webhooks of a client: its doors, and the inbox as the tenant's Worker reports it. */
import { createHash, randomUUID } from "node:crypto";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { doorRoutes } from "#workers/contracts/api/tenants/doors.ts";
import type { InboxMessage, InboxPage } from "#workers/contracts/tenant/inbox.ts";
import {
  DOMAIN,
  type InstancePages,
  isExpected,
  startInstancePages,
} from "#workers/dashboard/testing/start-instance-pages.ts";
import { findAccessibilityFaults } from "#workers/dashboard/testing/start-pages.ts";
import { startVendorApis, type VendorApis } from "#workers/dashboard/testing/vendor-apis.ts";

const INBOX = "/api/internal/inbox";
const FIRST_PAGE = `${INBOX}?limit=50`;
const KEY = /^[0-9A-Za-z]{24}$/;

let pages: InstancePages;
let vendors: VendorApis;
beforeAll(async () => {
  vendors = await startVendorApis();
  const { url } = vendors;
  pages = await startInstancePages({ CHANNEL_APIS: JSON.stringify({ telegram: url, slack: url }) });
});
beforeEach(() => {
  pages.answerAsUsual();
  answerInbox(FIRST_PAGE, []);
});
afterAll(async () => {
  await pages?.stop();
  await vendors?.stop();
});

function answerInbox(path: string, messages: InboxMessage[], status: Partial<InboxPage["status"]> = {}): void {
  const dead = messages.filter(({ state }) => state === "dead").length;
  const body = { messages, status: { pending: messages.length - dead, dead, limit: 1_000, ...status } };
  pages.tenants.answers.set(path, { body: body satisfies InboxPage });
}

async function made(slug: string, plan: string) {
  const { client, instance } = await pages.made(slug, {}, plan);
  return { client, instance, path: `/clients/${client}/webhooks` };
}

const doorRow = (page: Page, name: string) =>
  page.getByRole("table", { name: "Webhooks", exact: true }).getByRole("row").filter({ hasText: name });
async function chooseOf(page: Page, of: string, name: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${of}` }).click();
  await page.getByRole("menuitem", { name }).click();
}

/** A toast that covers an item would take its click. */
async function expectMenuAboveToasts(page: Page, of: string): Promise<void> {
  await page.getByRole("dialog", { name: `Webhook ${of} disabled` }).waitFor();
  await page.getByRole("button", { name: `Actions for ${of}` }).click();
  const layer = (found: Locator) =>
    found.evaluate((element) => Number(element.ownerDocument.defaultView?.getComputedStyle(element).zIndex));
  const menu = await layer(page.getByRole("menu").locator(".."));
  expect(menu).toBeGreaterThan(await layer(page.getByRole("region", { name: "Notifications" })));
  await page.keyboard.press("Escape");
}

test("a door's address and generated secret are shown once, and a wrong secret shows the rule", async () => {
  const { path, instance } = await made("acme", "free");
  const { page, complaints, close } = await pages.open("north", path);
  await page.getByText("No webhooks yet").waitFor();
  await page.getByText("No messages waiting").waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Create webhook" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create webhook" });
  await dialog.getByLabel("Kind").selectOption({ label: "Telegram" });
  await dialog.getByLabel("Name").fill("My bot");
  await dialog.getByText("The name must have 1 to 40 lower-case letters", { exact: false }).waitFor();
  await dialog.getByLabel("Name").fill("my-bot");
  await dialog.getByText("Generated if empty.").waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Create webhook" }).click();

  const created = page.getByRole("dialog", { name: "Webhook my-bot created" });
  await created.getByText("secret_token").waitFor();
  const [address = "", secret = ""] = await created.getByRole("definition").allInnerTexts();
  const key = new URL(address).pathname.slice(1);
  expect(address).toBe(`http://hooks.${DOMAIN}:${pages.front.url.port}/${key}`);
  expect(key).toMatch(KEY);
  expect(secret).toMatch(/^[\w-]{43}$/);
  await created.getByRole("button", { name: "Copy secret token" }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  const { rows } = await pages.database.pool.query(
    "select key_hash, secret_names from tenantry.doors where instance_id = $1",
    [instance],
  );
  expect(rows).toEqual([{ key_hash: createHash("sha256").update(key).digest(), secret_names: ["secretToken"] }]);
  await created.getByRole("button", { name: "Done" }).click();
  await doorRow(page, "my-bot")
    .getByText(`…${key.slice(-4)}`)
    .waitFor();
  expect(await page.content()).not.toContain(secret);

  await page.getByRole("button", { name: "Create webhook" }).click();
  await dialog.getByLabel("Kind").selectOption("discord");
  await dialog.getByLabel("Name").fill("guild");
  await expect.poll(() => dialog.getByRole("button", { name: "Create webhook" }).isDisabled()).toBe(true);
  await dialog.getByLabel("Public key").fill("not-hexadecimal");
  await dialog.getByRole("button", { name: "Create webhook" }).click();
  await dialog.getByText("The public key must have 64 hexadecimal digits.").waitFor();
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("not-hexadecimal");
  await dialog.getByLabel("Public key").fill("ab".repeat(32));
  await dialog.getByRole("button", { name: "Create webhook" }).click();
  const guild = page.getByRole("dialog", { name: "Webhook guild created" });
  await guild.getByText("Interactions Endpoint URL", { exact: false }).waitFor();
  await expect.poll(() => guild.getByRole("definition").count()).toBe(1);
  await guild.getByRole("button", { name: "Done" }).click();
  await page.getByText("All webhooks are used. Delete one, or change the plan.").waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Create webhook" }).isDisabled()).toBe(true);
  expect(complaints.filter((complaint) => !isExpected(complaint) && !complaint.includes("400"))).toEqual([]);
  await close();
});

test("a door is rotated, disabled, enabled and deleted", async () => {
  const { path, instance } = await made("hooli", "pro");
  const { body: door } = await pages.call(doorRoutes.createDoor, {
    as: "north",
    params: { instance_id: instance },
    body: { kind: "whatsapp", name: "support", secrets: { appSecret: "issued-by-meta" } },
  });
  const { page, complaints, close } = await pages.open("north", path);
  await doorRow(page, "support").getByText("App secret, Verify token").waitFor();

  await chooseOf(page, "support", "Rotate address");
  const rotation = page.getByRole("dialog", { name: "Rotate address of support" });
  await rotation.getByLabel("Accept the current address for").selectOption({ label: "1 hour" });
  expect(await findAccessibilityFaults(page)).toEqual([]);
  const sent = Promise.withResolvers<void>();
  const passed = Promise.withResolvers<void>();
  await page.route("**/rotate", async (route) => {
    sent.resolve();
    await passed.promise;
    await route.continue();
  });
  await rotation.getByRole("button", { name: "Rotate address" }).click();
  await sent.promise;
  // The response shows the new address once, so the dialog stays.
  await expect.poll(() => rotation.getByRole("button", { name: "Cancel" }).isDisabled()).toBe(true);
  await page.keyboard.press("Escape");
  passed.resolve();
  const rotated = page.getByRole("dialog", { name: "Address of support rotated" });
  const address = await rotated.getByRole("definition").textContent();
  await page.unroute("**/rotate");
  const key = new URL(address ?? "").pathname.slice(1);
  expect(key).toMatch(KEY);
  expect(door.url).not.toContain(key);
  await page.keyboard.press("Escape");
  await doorRow(page, "support")
    .getByText(`…${key.slice(-4)}`)
    .waitFor();
  const { rows } = await pages.database.pool.query(
    "select round(extract(epoch from former_key_until - rotated_at)) as seconds from tenantry.doors where id = $1",
    [door.id],
  );
  expect(rows).toEqual([{ seconds: "3600" }]);

  await chooseOf(page, "support", "Rotate secrets");
  const secrets = page.getByRole("dialog", { name: "Rotate secrets of support" });
  await secrets.getByRole("checkbox", { name: "Generate: verify token" }).uncheck();
  await expect.poll(() => secrets.getByRole("button", { name: "Rotate secrets" }).isDisabled()).toBe(true);
  await secrets.getByLabel("App secret").fill("issued-again");
  await secrets.getByRole("button", { name: "Rotate secrets" }).click();
  await page.getByText("Secrets of support replaced").waitFor();
  await chooseOf(page, "support", "Rotate secrets");
  await secrets.getByText("Webhooks with the former secrets, accepted until").waitFor();
  await secrets.getByRole("button", { name: "Rotate secrets" }).click();
  const shown = page.getByRole("dialog", { name: "Secrets of support rotated" });
  await shown.getByRole("term").filter({ hasText: "Verify token" }).waitFor();
  await expect.poll(() => shown.getByRole("term").count()).toBe(1);
  await shown.getByRole("button", { name: "Done" }).click();

  await chooseOf(page, "support", "Show details");
  const details = page.getByRole("dialog", { name: "Webhook support" });
  await details.getByText(`hooks.${DOMAIN}/…${key.slice(-4)}`).waitFor();
  await details.getByText("accepted until", { exact: false }).first().waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.keyboard.press("Escape");

  await chooseOf(page, "support", "Disable webhook");
  await doorRow(page, "support").getByText("disabled").waitFor();
  await expectMenuAboveToasts(page, "support");
  await chooseOf(page, "support", "Enable webhook");
  await doorRow(page, "support").getByText("active").waitFor();

  await chooseOf(page, "support", "Delete webhook");
  const removal = page.getByRole("dialog", { name: "Delete webhook support?" });
  await removal.getByText("another webhook has another address", { exact: false }).waitFor();
  await expect.poll(() => removal.getByRole("button", { name: "Delete webhook" }).isDisabled()).toBe(true);
  await removal.getByRole("textbox").fill("support");
  await removal.getByRole("button", { name: "Delete webhook" }).click();
  await page.getByText("No webhooks yet").waitFor();
  expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
  await close();
});

test("failed messages show their reason, and are replayed, deleted and exported", async () => {
  const { path, client } = await made("initech", "free");
  const { page, complaints, close } = await pages.open("north", path);
  const received = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const message = (eventId: string, more: Partial<InboxMessage>): InboxMessage => ({
    ...{ id: randomUUID(), door: randomUUID(), kind: "github", name: "repository", eventId, conversation: "acme/shop" },
    ...{ state: "queued", bytes: 2_048, attempts: 0, receivedAt: received(1), changedAt: received(1) },
    ...more,
  });
  const refused = message("push-1", {
    ...{ state: "dead", attempts: 8, receivedAt: received(90), failure: { reason: "status", status: 404 } },
  });
  const late = message("push-2", { state: "dead", attempts: 31, failure: { reason: "timeout" } });
  const waiting = message("push-3", { receivedAt: received(12) });
  answerInbox(FIRST_PAGE, [refused, late, waiting], { dead: 850, oldestAt: waiting.receivedAt });
  await page.getByRole("button", { name: "Refresh inbox" }).click();
  const inbox = page.getByRole("region", { name: "Inbox" });
  const row = (eventId: string) => inbox.getByRole("row").filter({ hasText: eventId });
  await row("push-1").getByText("The agent refused the message: status 404").waitFor();
  await inbox.getByText("The inbox is nearly full").waitFor();
  await inbox.getByText("The oldest waiting message was received", { exact: false }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);

  await chooseOf(page, "message push-2", "Show details");
  const details = page.getByRole("dialog", { name: "Message of repository" });
  await details.getByText("Check its health, then replay.").waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.keyboard.press("Escape");

  // A waiting message can be deleted, but not replayed.
  for (const eventId of ["push-1", "push-3"]) await row(eventId).getByRole("checkbox").check();
  await inbox.getByRole("button", { name: "Delete selected (2)" }).waitFor();
  await inbox.getByRole("button", { name: "Replay selected (1)" }).click();
  pages.tenants.answers.set(`${INBOX}/replay`, { body: { changed: 1 } });
  answerInbox(FIRST_PAGE, [{ ...refused, state: "delivering" }, late, waiting]);
  const ordered = page.waitForRequest(/inbox\/replay$/);
  await page.getByRole("dialog", { name: "Replay 1 message?" }).getByRole("button", { name: "Replay" }).click();
  expect((await ordered).postDataJSON()).toEqual({ ids: [refused.id] });
  await page.getByText("1 message queued again").waitFor();
  await row("push-1").getByText("delivering").waitFor();
  expect(pages.tenants.asked).toContain(`POST tenant-initech ${INBOX}/replay as null`);

  await inbox.getByRole("button", { name: "Delete all failed" }).click();
  pages.tenants.answers.set(`${INBOX}/drop`, { body: { changed: 1 } });
  answerInbox(FIRST_PAGE, []);
  const dropped = page.waitForRequest(/inbox\/drop$/);
  const confirmation = page.getByRole("dialog", { name: "Delete all failed messages (1)?" });
  await confirmation.getByText("You cannot undo this.", { exact: false }).waitFor();
  await confirmation.getByRole("button", { name: "Delete" }).click();
  expect((await dropped).postDataJSON()).toEqual({ all: true });
  await inbox.getByText("No messages waiting").waitFor();

  answerInbox(`${INBOX}?state=accepted&limit=50`, [{ ...late, state: "accepted", attempts: 1 }]);
  await inbox.getByLabel("State").selectOption("accepted");
  await row("push-2").getByText("delivered").waitFor();
  const line = `${JSON.stringify({ id: late.id })}\n`;
  pages.tenants.answers.set(`${INBOX}/export?state=accepted`, { body: new TextEncoder().encode(line) });
  const link = inbox.getByRole("link", { name: "Export messages" });
  const download = page.waitForEvent("download");
  await link.click();
  expect((await download).suggestedFilename()).toBe("inbox-initech.jsonl");
  const { rows } = await pages.database.pool.query(
    "select kind from tenantry.events where client_id = $1 and kind like 'instance.inbox%' order by id",
    [client],
  );
  expect(rows.map(({ kind }) => kind)).toEqual([
    "instance.inbox_replay_ordered",
    "instance.inbox_drop_ordered",
    "instance.inbox_exported",
  ]);
  expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
  await close();
});

test("a bot is connected with its token, tested and deleted with what remains to do", async () => {
  const { path } = await made("umbrella", "free");
  const { page, complaints, close } = await pages.open("north", path);
  await page.getByText("No channels yet").waitFor();
  await page.getByRole("button", { name: "Connect channel" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Connect channel" });
  const connect = dialog.getByRole("button", { name: "Connect channel" });
  await dialog.getByLabel("Bot token").fill("a token");
  await connect.click();
  await dialog.getByText("must be the token of a bot as @BotFather shows it", { exact: false }).waitFor();
  await dialog.getByLabel("Bot token").fill("700:AAF-secret_of_the_bot_123456789");
  await connect.click();
  await dialog.getByText("Telegram rejects the token", { exact: false }).waitFor();
  await dialog.getByLabel("Messenger").selectOption({ label: "Slack" });
  vendors.bots.set("xoxb-1-2-secret-of-the-bot", { id: "T1:U1", name: "acme" });
  await dialog.getByLabel("Bot token").fill("xoxb-1-2-secret-of-the-bot");
  await dialog.getByLabel("Signing secret").fill("signing-secret");
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await connect.click();
  const connected = page.getByRole("dialog", { name: "@acme (Acme) added" });
  await connected.getByText(`http://hooks.${DOMAIN}`, { exact: false }).waitFor();
  await connected.getByText("enter the URL as Request URL", { exact: false }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await connected.getByRole("button", { name: "Done" }).click();
  const channels = page.getByRole("table", { name: "Channels" });
  await channels.getByText("sending token").waitFor();
  await doorRow(page, "slack").waitFor();

  await chooseOf(page, "@acme (Acme)", "Test channel");
  const tested = page.getByRole("dialog", { name: "Test of @acme (Acme)" });
  await tested.getByText("The channel does not work yet").waitFor();
  await tested.getByText("does not say where it sends", { exact: false }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await tested.getByRole("button", { name: "Done" }).click();
  await chooseOf(page, "@acme (Acme)", "Delete channel");
  const removal = page.getByRole("dialog", { name: "Delete channel @acme (Acme)?" });
  await removal.getByRole("textbox").fill("@acme (Acme)");
  await removal.getByRole("button", { name: "Delete channel" }).click();
  await page
    .getByRole("dialog", { name: "One step remains" })
    .getByText("turn off Event Subscriptions", { exact: false })
    .waitFor();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByText("No channels yet").waitFor();
  expect(complaints.filter((complaint) => !isExpected(complaint) && !complaint.includes("400"))).toEqual([]);
  await close();
});
