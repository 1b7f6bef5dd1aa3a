import { type ApiServer, account_id, startApiServer } from "@tenantry/edge/testing/api";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { beginAttempt, endAttempt, lockQueuedMail, type MailOutcome } from "#database/work/mails.ts";
import { findAccessibilityFaults, type PagesUnderTest, startPages } from "#workers/dashboard/testing/start-pages.ts";

let cloudflare: ApiServer;
let pages: PagesUnderTest;
let client: string;
let instance: string;
beforeAll(async () => {
  cloudflare = await startApiServer();
  pages = await startPages({
    CLOUDFLARE_API_URL: cloudflare.url,
    CF_ACCOUNT_ID: account_id,
    SERVICE_TOKENS_TOKEN: cloudflare.apiToken,
  });
  const { db } = pages.database;
  client = await insertClient(db, { slug: "acme", name: "Acme", partner_id: pages.partners.north });
  instance = await insertInstance(db, client);
});
afterAll(async () => {
  await pages?.stop();
  await cloudflare?.close();
});

const at = () => `/clients/${client}/users`;
const rowOf = (page: Page, email: string) => page.getByRole("row").filter({ hasText: email });
const openMenu = (page: Page, email: string) => page.getByRole("button", { name: `Actions for ${email}` }).click();
/** Ends the latest mail to a recipient, as the automation service does. */
async function endMail(recipient: string, outcome: MailOutcome, answer: string): Promise<void> {
  const { db } = pages.database;
  const { id } = await db
    .selectFrom("tenantry.mails")
    .select("id")
    .where("recipient", "=", recipient)
    .where("status", "=", "queued")
    .executeTakeFirstOrThrow();
  const mail = await db.transaction().execute((tx) => lockQueuedMail(tx, id));
  if (mail === undefined) throw new Error("There is no such mail.");
  const attempt = await db.transaction().execute((tx) => beginAttempt(tx, id));
  await endAttempt(db, mail, attempt, { outcome, answer, final: true });
  await pages.pushEvents();
}

test("an invited user appears at once, and all viewers see the mail and the invitation change", async () => {
  const { page, complaints, close } = await pages.open("north", at());
  const other = await pages.open("root", at());
  for (const one of [page, other.page]) await one.getByRole("status").filter({ hasText: "Live" }).waitFor();
  await page.getByText("No users yet").waitFor();
  await page.getByRole("button", { name: "Invite" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Invite user to Acme" });
  await dialog.getByLabel("Email address").fill("Ada@acme.example");
  await dialog.getByLabel("Role").selectOption("ADMIN");
  await expect.poll(() => dialog.getByLabel("acme, production").isChecked()).toBe(true);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Send invitation" }).click();
  await dialog.waitFor({ state: "detached" });
  const ada = rowOf(page, "ada@acme.example");
  for (const says of ["Administrator", "invited", "queued"])
    await ada.getByText(says, { exact: true }).last().waitFor();
  await pages.pushEvents();
  await rowOf(other.page, "ada@acme.example").getByText("queued").last().waitFor();
  await endMail("ada@acme.example", "sent", "250 taken");
  for (const one of [page, other.page]) {
    await one.getByText("Invitation to ada@acme.example sent").waitFor();
    await rowOf(one, "ada@acme.example").getByText("sent", { exact: true }).last().waitFor();
  }
  await pages.database.pool.query(
    `with answered as (
       update tenantry.client_users set status = 'validated', validated_at = now(), token_expires_at = null returning id, email, client_id)
     insert into tenantry.events (client_id, kind, data)
     select client_id, 'invitation.accepted', jsonb_build_object('client_user_id', id, 'email', email) from answered`,
  );
  await pages.pushEvents();
  await ada.getByText("accepted", { exact: true }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  for (const heard of [complaints, other.complaints]) expect(heard).toEqual([]);
  await Promise.all([close(), other.close()]);
});

test("a bounced mail is reported on every page, with a link to the users", async () => {
  await insertClientUser(pages.database.db, { client_id: client, email: "bob@acme.example", role: "BASE_USER" }, [
    instance,
  ]);
  const { page, close } = await pages.open("north", at());
  await openMenu(page, "bob@acme.example");
  await page.getByRole("menuitem", { name: "Resend invitation" }).click();
  await page.getByText("Invitation to bob@acme.example resent").waitFor();
  await page.getByRole("link", { name: "People" }).click();
  await page.getByRole("heading", { name: "People", level: 1 }).waitFor();
  await endMail("bob@acme.example", "bounced", "550 no such mailbox");
  await page.getByText("Invitation to bob@acme.example bounced").first().waitFor();
  // Urgent toasts are repeated for screen readers.
  await page.getByRole("button", { name: "Show users", includeHidden: true }).click();
  await rowOf(page, "bob@acme.example").getByText("bounced").last().waitFor();
  await openMenu(page, "bob@acme.example");
  const remove = page.getByRole("menuitem", { name: "Remove user" });
  const withdraw = page.getByRole("menuitem", { name: "Withdraw invitation" });
  await withdraw.waitFor();
  expect(await remove.count()).toBe(0);
  await withdraw.click();
  await rowOf(page, "bob@acme.example").getByText("expired", { exact: true }).waitFor();
  await openMenu(page, "bob@acme.example");
  await remove.waitFor();
  expect(await withdraw.count()).toBe(0);
  await close();
});

test("name and role can be changed and the change undone by the keyboard", async () => {
  await insertClientUser(
    pages.database.db,
    { client_id: client, email: "eve@acme.example", name: "Eve", role: "BASE_USER", status: "validated" },
    [instance],
  );
  const { page, close } = await pages.open("north", at());
  await page.getByRole("button", { name: "Actions for Eve" }).press("Enter");
  await page.getByRole("menu").press("ArrowDown");
  await page.getByRole("menuitem", { name: "Edit user" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Edit Eve" });
  await dialog.getByLabel("Role").selectOption("ADMIN");
  await dialog.getByLabel("Name").press("Enter");
  await rowOf(page, "eve@").getByText("Administrator").last().waitFor();
  await page.getByRole("button", { name: "Undo" }).press("Enter");
  await rowOf(page, "eve@").getByText("Chat only", { exact: true }).last().waitFor();
  await close();
});

test("discarded entries do not return; others survive a reload, for the same user only", async () => {
  const { page, become, close } = await pages.open("north", at());
  const dialog = page.getByRole("dialog", { name: "Edit Eve" });
  const role = dialog.getByLabel("Role");
  const choose = async () => {
    await page.getByRole("button", { name: "Actions for Eve" }).click();
    await page.getByRole("menuitem", { name: "Edit user" }).click();
    const shown = await role.inputValue();
    await role.selectOption("ADMIN");
    return shown;
  };
  for (const giveUp of [
    () => dialog.getByRole("button", { name: "Cancel" }).click(),
    () => page.keyboard.press("Escape"),
    () => dialog.getByRole("button", { name: "Close" }).click(),
  ]) {
    expect(await choose()).toBe("BASE_USER");
    // A click outside keeps the dialog open.
    await page.mouse.click(5, 5);
    await giveUp();
    await dialog.waitFor({ state: "detached" });
  }
  expect(await choose()).toBe("BASE_USER");
  await page.reload();
  expect(await choose()).toBe("ADMIN");
  const address = `**/api/clients/${client}/users/*`;
  const ended = { error: { code: "authentication_required", message: "Log in." } };
  await page.route(address, (route) => route.fulfill({ status: 401, json: ended }));
  await dialog.getByRole("button", { name: "Save" }).click();
  const again = page.getByRole("button", { name: "Log in again" });
  await again.press("Escape");
  await page.unroute(address);
  await Promise.all([page.waitForEvent("load"), again.click()]);
  expect(await choose()).toBe("ADMIN");
  await become("root");
  await page.reload();
  expect(await choose()).toBe("BASE_USER");
  await close();
});

test("a removal requires the email address and keeps it after a failure; a failed list loads on retry", async () => {
  const { page, close } = await pages.open("north", "/clients");
  let failures = 1;
  const refusal = { status: 403, json: { error: { code: "forbidden", message: "Permission denied." } } };
  await page.route(`**/api/clients/${client}/users?*`, (route) =>
    failures-- > 0 ? route.fulfill(refusal) : route.continue(),
  );
  await page.getByRole("link", { name: /Acme/ }).click();
  await page.getByRole("link", { name: "Users" }).click();
  await page.getByText("Permission denied.").waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("button", { name: "Actions for Eve" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove eve@acme.example?" });
  const remove = dialog.getByRole("button", { name: "Remove" });
  await expect.poll(() => remove.isDisabled()).toBe(true);
  await dialog.getByRole("textbox").fill("eve@acme.example");
  let refusals = 1;
  await page.route(`**/api/clients/${client}/users/*`, (route) =>
    refusals-- > 0 ? route.fulfill(refusal) : route.continue(),
  );
  await remove.click();
  await dialog.getByText("Permission denied.").waitFor();
  await expect.poll(() => dialog.getByRole("textbox").inputValue()).toBe("eve@acme.example");
  await remove.click();
  await rowOf(page, "eve@").waitFor({ state: "detached" });
  await close();
});

test("an operator creates a service token for a user, sees its secret once, and revokes it", async () => {
  const { db } = pages.database;
  const other = await insertClient(db, { slug: "hooli", name: "Hooli", partner_id: pages.partners.north });
  const user = { client_id: other, email: "gil@hooli.example", role: "BASE_USER", status: "validated" };
  await insertClientUser(db, user, [await insertInstance(db, other)]);
  const { page, complaints, close } = await pages.open("north", `/clients/${other}/users`);
  await page.getByText("No service tokens yet").waitFor();
  await page.getByRole("button", { name: "Create token" }).first().click();
  const form = page.getByRole("dialog", { name: "Create service token for Hooli" });
  await form.getByLabel("User", { exact: true }).selectOption("gil@hooli.example");
  await form.getByLabel("Name").fill("Laptop");
  await expect.poll(() => form.getByRole("option", { name: "Administrator" }).isDisabled()).toBe(true);
  await form.getByLabel("Days until it expires").fill("366");
  await expect.poll(() => form.getByRole("button", { name: "Create token" }).isDisabled()).toBe(true);
  await form.getByLabel("Days until it expires").fill("30");
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await form.getByRole("button", { name: "Create token" }).click();
  const created = page.getByRole("dialog", { name: "Service token Laptop created" });
  const secret = (await created.locator("code").last().textContent()) ?? "";
  expect(secret).toMatch(/^\S{32,}$/);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await created.getByRole("button", { name: "Done" }).click();
  await created.waitFor({ state: "detached" });
  expect(await page.content()).not.toContain(secret);

  await openMenu(page, "Laptop");
  await page.getByRole("menuitem", { name: "Revoke token" }).click();
  const revoke = page.getByRole("dialog", { name: "Revoke service token Laptop?" });
  await revoke.getByRole("button", { name: "Revoke token" }).click();
  await page.getByText("No service tokens yet").waitFor();
  expect(complaints).toEqual([]);
  const { rows } = await pages.database.pool.query(
    "select kind, data ->> 'what' as what from tenantry.mails where recipient = 'gil@hooli.example' order by created_at",
  );
  expect(rows.map(({ kind, what }) => `${kind} ${what}`)).toEqual(["service_token created", "service_token revoked"]);
  await close();
});
