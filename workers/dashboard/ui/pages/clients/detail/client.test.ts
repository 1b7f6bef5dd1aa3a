/** A client's overview and settings, for the editor and other viewers. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { findAccessibilityFaults, type PagesUnderTest, startPages } from "#workers/dashboard/testing/start-pages.ts";

let pages: PagesUnderTest;
beforeAll(async () => {
  pages = await startPages();
});
afterAll(() => pages?.stop());

const own = async (slug: string, values: Parameters<typeof insertClient>[1] = {}) => {
  const { db } = pages.database;
  const managed = { managed_by: "dashboard" };
  const id = await insertClient(db, { slug, partner_id: pages.partners.north, status: "draft", ...managed, ...values });
  await insertInstance(db, id, managed);
  return id;
};
const row = async (id: string) =>
  (await pages.database.pool.query("select * from tenantry.clients where id = $1", [id])).rows[0];
/** The tests have no dispatch Worker. */
const isTenantAway = (complaint: string) => complaint.includes("503");
const live = (page: Page) => page.getByRole("status").filter({ hasText: "Live" }).waitFor();

test("other viewers see a change in the list and on the client's page without a reload", async () => {
  const id = await own("seen");
  const changes = await pages.open("root", `/clients/${id}`);
  const watching = await pages.open("north", `/clients/${id}`);
  const lists = await pages.open("north", "/clients?search=seen");
  await lists.page.getByRole("link", { name: "seen" }).waitFor();
  await Promise.all([live(watching.page), live(lists.page)]);
  expect(await findAccessibilityFaults(changes.page)).toEqual([]);
  const { page } = changes;
  await page.getByLabel("Name").fill("Seen by all");
  await page.getByLabel("State").selectOption("active");
  await page.getByLabel("Canary").check();
  await page.getByLabel("Only within a window").check();
  for (const day of ["Mon", "Tue", "Wed", "Thu", "Fri"]) await page.getByRole("button", { name: day }).click();
  await page.getByLabel("Time zone").fill("Europe/Berlin");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Seen by all saved").waitFor();
  await pages.pushEvents();
  await watching.page.getByRole("heading", { name: "Seen by all", level: 1 }).waitFor();
  await watching.page.getByText(/Sat, Sun from 02:00 for 4 h \(Europe\/Berlin\)/).waitFor();
  await lists.page.getByRole("link", { name: /Seen by all/ }).waitFor();
  expect(await watching.page.getByLabel("Partner").count()).toBe(0);
  expect(await watching.page.getByLabel("Canary").count()).toBe(0);
  expect(await row(id)).toMatchObject({ status: "active", is_canary: true, maintenance_days: [6, 7] });
  for (const { complaints, close } of [changes, watching, lists]) {
    expect(complaints).toEqual([]);
    await close();
  }
});

test("a conflicting change is reported and keeps the entries, which can be saved after a reload", async () => {
  const id = await own("raced");
  const { page, close } = await pages.open("root", `/clients/${id}`);
  await page.getByLabel("Name").fill("Mine");
  await pages.fetchAs("root", "PUT", "/client/update", { id, name: "Theirs", status: "active" });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText(/^root@\S+ changed the name and the state at/).waitFor();
  await expect.poll(() => page.getByLabel("Name").inputValue()).toBe("Mine");
  await page.reload();
  await expect.poll(() => page.getByLabel("Name").inputValue()).toBe("Mine");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Reload" }).click();
  await page.getByRole("heading", { name: "Theirs" }).waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Mine", level: 1 }).waitFor();
  expect(await row(id)).toMatchObject({ name: "Mine", status: "active" });
  await close();
});

test("the form shows saved values and later edits during the refetch, and then ends the draft", async () => {
  const id = await own("held");
  const { page, close } = await pages.open("root", `/clients/${id}`);
  const [saved, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.getByLabel("Name").fill("Kept");
  await page.route("**/client/update", (route) => saved.promise.then(() => route.continue()));
  await page.route(`**/client/${id}`, (route) => read.promise.then(() => route.continue()));
  const save = page.getByRole("button", { name: "Save" });
  await save.click();
  await page.getByLabel("Canary").check();
  saved.resolve();
  await page.getByText("Kept saved").waitFor();
  await expect.poll(() => page.getByLabel("Name").inputValue()).toBe("Kept");
  await expect.poll(() => page.getByLabel("Canary").isChecked()).toBe(true);
  read.resolve();
  await page.getByRole("heading", { name: "Kept", level: 1 }).waitFor();
  // The draft applies to the saved version.
  await page.getByLabel("Name").fill("Kept on");
  await save.click();
  await page.getByRole("heading", { name: "Kept on", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Discard" }).waitFor({ state: "detached" });
  expect(await row(id)).toMatchObject({ name: "Kept on", is_canary: true });
  await close();
});

test("the form rejects invalid window hours before it sends them", async () => {
  const id = await own("windowed");
  const { page, close } = await pages.open("root", `/clients/${id}`);
  await page.getByLabel("Only within a window").check();
  const hours = page.getByLabel("Hours");
  const save = page.getByRole("button", { name: "Save" });
  for (const none of ["", "0", "25", "1.5"]) {
    await hours.fill(none);
    await page.getByText("Enter a whole number of hours, from 1 to 24.").waitFor();
    expect([await hours.inputValue(), await save.isDisabled()]).toEqual([none, true]);
  }
  await page.evaluate("scrollTo(0, 0)");
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await hours.fill("12");
  await save.click();
  await page.getByText("windowed saved").waitFor();
  expect(await row(id)).toMatchObject({ maintenance_hours: 12 });
  await close();
});

test("the page of a client managed in Git names the file to change, and offers only other actions", async () => {
  const owner = "urn:pulumi:prod-hooli::tenantry::tenantry:index:DatabaseRecord::client-hooli";
  const id = await insertClient(pages.database.db, { slug: "hooli", owner });
  await insertInstance(pages.database.db, id);
  const { page, complaints, close } = await pages.open("root", `/clients/${id}`);
  await page.getByText("Pulumi.prod-hooli.yaml").waitFor();
  expect(await page.getByRole("button", { name: "Save" }).count()).toBe(0);
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Freeze instance…" }).waitFor();
  expect(await page.getByRole("button", { name: "Delete client…" }).count()).toBe(0);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

test("a freeze can be undone; a deletion requires the slug, names the grace period and can be undone", async () => {
  const id = await own("ending", { name: "Ending" });
  const { page, complaints, close } = await pages.open("north", `/clients/${id}/settings`);
  await page.getByRole("button", { name: "Freeze instance…" }).click();
  await page.getByLabel("Reason").fill("unpaid");
  await page.getByRole("dialog").getByRole("button", { name: "Freeze" }).click();
  await page.getByText("Ending frozen").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Ending resumed").waitFor();
  await page.getByRole("button", { name: "Delete client…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/For 7 days you can restore the client/).waitFor();
  await dialog.getByText("messages of its inbox").waitFor();
  const confirm = dialog.getByRole("button", { name: "Delete client" });
  await dialog.getByRole("textbox").fill("end");
  await expect.poll(() => confirm.isDisabled()).toBe(true);
  await dialog.getByRole("textbox").fill("ending");
  await confirm.click();
  const banner = page.getByRole("note").filter({ hasText: "Deletion scheduled" });
  await banner.getByText(/in \d+ days?/).waitFor();
  expect((await row(id)).delete_after).not.toBeNull();
  await banner.getByRole("button", { name: "Restore" }).click();
  await banner.waitFor({ state: "detached" });
  expect((await row(id)).delete_after).toBeNull();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  expect(complaints.filter((complaint) => !isTenantAway(complaint))).toEqual([]);
  await close();
});

test("“Delete now” names what is lost and kept, requires the slug and ends the grace period, in which the client can be restored", async () => {
  const id = await own("tomorrow", { name: "Tomorrow" });
  await pages.database.pool.query(
    `insert into tenantry.channels (environment, instance_id, kind, credentials, account_id, account_name, created_by)
     select 'production', id, 'irc', decode(repeat('00', 40), 'hex'), 'x', 'claw (irc.example.org)', 'x'
     from tenantry.instances where client_id = $1`,
    [id],
  );
  await pages.fetchAs("root", "DELETE", `/client/${id}`);
  const due = async () => (await row(id)).delete_after <= new Date();
  const { page, complaints, close } = await pages.open("root", `/clients/${id}/settings`);
  const card = page.getByRole("region", { name: "Deletion scheduled" });
  await card.getByText(/Until then you can restore the client/).waitFor();
  await card.getByRole("button", { name: "Delete now…" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete Tomorrow now?" });
  for (const text of [
    "Its instance, users, invitations and unused credit are deleted within minutes and cannot be restored.",
    "Invoices and the ledger are kept, and so are the backups.",
    "To keep the client, cancel and restore it.",
    "Their number is unknown.",
    "IRC (claw (irc.example.org)). The job of the removal then lists what to do at the messengers.",
  ])
    await dialog.getByText(text).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  const confirm = dialog.getByRole("button", { name: "Delete client now" });
  await dialog.getByRole("textbox").fill("tomorro");
  await expect.poll(() => confirm.isDisabled()).toBe(true);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await due()).toBe(false);

  // A partner root can neither restore nor delete early what a platform root deleted.
  const partner = await pages.open("north", `/clients/${id}/settings`);
  await partner.page.getByText(/Until then a platform root can restore the client/).waitFor();
  expect(await partner.page.getByRole("button", { name: /^(Restore client|Delete now…)$/ }).count()).toBe(0);
  await partner.close();

  await card.getByRole("button", { name: "Restore" }).click();
  await page.getByText("Tomorrow restored").waitFor();
  expect((await row(id)).delete_after).toBeNull();
  await page.getByRole("button", { name: "Delete client…" }).click();
  const first = page.getByRole("dialog", { name: "Delete Tomorrow?" });
  await first.getByRole("textbox").fill("tomorrow");
  await first.getByRole("button", { name: "Delete client" }).click();
  await card.getByRole("button", { name: "Delete now…" }).click();
  await dialog.getByRole("textbox").fill("tomorrow");
  await confirm.click();
  await page.getByText("Deleting Tomorrow").waitFor();
  expect(await due()).toBe(true);
  expect(complaints.filter((complaint) => !isTenantAway(complaint))).toEqual([]);
  await close();
});

test("a root exports a client, and erases it in its grace period after typing the slug", async () => {
  const { db, pool } = pages.database;
  const values = { slug: "wiped", name: "Wiped", partner_id: pages.partners.north, managed_by: "dashboard" };
  const id = await insertClient(db, values);
  const { page, complaints, close } = await pages.open("north", `/clients/${id}/settings`);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download export" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^wiped-\d{4}-\d\d-\d\d\.tar$/);
  expect(await readFile(await download.path(), "latin1")).toContain('"format": "tenantry-export-');
  expect(await page.getByRole("button", { name: "Erase now…" }).count()).toBe(0);

  await pages.fetchAs("north", "DELETE", `/client/${id}`);
  await page.reload();
  await page.getByRole("button", { name: "Erase now…" }).click();
  const dialog = page.getByRole("dialog", { name: "Erase Wiped now?" });
  expect(await findAccessibilityFaults(page)).toEqual([]);
  const confirm = dialog.getByRole("button", { name: "Erase everything" });
  await expect.poll(() => confirm.isDisabled()).toBe(true);
  await dialog.getByRole("textbox").fill("wiped");
  await confirm.click();
  await page.getByText("You get a certificate by mail.").waitFor();
  const { rows } = await pool.query("select requested_by, began_at from tenantry.erasures where client_id = $1", [id]);
  expect(rows).toEqual([{ requested_by: pages.emails.north, began_at: null }]);
  expect((await row(id)).delete_after <= new Date()).toBe(true);
  expect(complaints).toEqual([]);
  await close();
});

test("a client that does not exist or belongs to another partner is not found, and a retry loads it again", async () => {
  const id = await own("foreign", { partner_id: pages.partners.south });
  const { page, close } = await pages.open("north", `/clients/${id}`);
  await page.getByText("Client not found.").waitFor();
  let failures = 1;
  await page.route(`**/client/${id}`, (route) => {
    const error = { code: "not_found", message: "Not just now." };
    if (failures-- > 0) return route.fulfill({ status: 404, json: { error } });
    return route.fulfill({ status: 404, json: { error: { ...error, message: "Read again." } } });
  });
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Not just now.").waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Read again.").waitFor();
  await close();
});
