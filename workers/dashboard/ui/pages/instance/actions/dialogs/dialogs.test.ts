/** Actions on an instance from its page, with the requests to the API and the tenant. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { imageRoutes } from "#workers/contracts/api/tenants/images.ts";
import {
  ADMIN,
  chooseOfMore,
  heading,
  type InstancePages,
  isExpected,
  startInstancePages,
} from "#workers/dashboard/testing/start-instance-pages.ts";
import { findAccessibilityFaults } from "#workers/dashboard/testing/start-pages.ts";

const BACKUP = "/api/internal/backup";
/** Enough for a busy machine. */
const SOON = { timeout: 40_000 };

let pages: InstancePages;
beforeAll(async () => {
  pages = await startInstancePages();
});
beforeEach(() => pages.answerAsUsual());
afterAll(() => pages?.stop());

/** Requested jobs, oldest first. */
const jobsOf = async (instance: string) =>
  (
    await pages.database.pool.query(
      "select kind, status, payload, requested_by from tenantry.jobs where instance_id = $1 order by created_at",
      [instance],
    )
  ).rows;
const ordersFor = async (client: string) =>
  (
    await pages.database.pool.query(
      "select kind, data ->> 'by' as by from tenantry.events where client_id = $1 and kind like '%_ordered'",
      [client],
    )
  ).rows;
const addImage = async (gateway_version: string, digit: string) =>
  (
    await pages.call(imageRoutes.addImage, {
      as: "root",
      body: { reference: `registry.test/gateway@sha256:${digit.repeat(64)}`, gateway_version },
    })
  ).body;

test("a restart is confirmed, reports a failure, and succeeds on retry", async () => {
  const { client, path } = await pages.made("acme");
  const { page, complaints, close } = await pages.open("north", path);
  const restart = page.getByRole("button", { name: "Restart" });
  const dialog = page.getByRole("dialog", { name: "Restart gateway" });
  await restart.click();
  await dialog.waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => restart.evaluate((button) => button === document.activeElement), SOON).toBe(true);
  expect(await ordersFor(client)).toEqual([]);

  pages.tenants.answers.set(`${ADMIN}/restart`, { status: 500, body: {} });
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Restart" }).click();
  await dialog.getByRole("alert").waitFor();
  pages.tenants.answers.set(`${ADMIN}/restart`, { status: 202, body: { restarting: true } });
  await dialog.getByRole("button", { name: "Restart" }).click();
  await page.getByText("Restarting the gateway of Acme").waitFor();
  await dialog.waitFor({ state: "detached" });
  const asked = pages.tenants.asked.filter((call) => call.includes("/restart"));
  expect(asked.at(-1)).toBe(`POST tenant-acme ${ADMIN}/restart as ROOT`);
  expect(await ordersFor(client)).toEqual([{ kind: "instance.restart_ordered", by: "root@north.test" }]);
  expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
  await close();
});

test("a click creates a backup that appears in the list, or reports why there is none", async () => {
  const { client, path } = await pages.made("hooli");
  const { page, complaints, close } = await pages.open("north", path);
  const rows = page.getByRole("table", { name: "Backups" }).getByRole("row");
  // Two days with a heading each.
  await expect.poll(() => rows.count()).toBe(5);
  const createdAt = "2026-11-23T10:00:00.000Z";
  const backups = [{ id: "b3", createdAt, bytes: 77_000_000 }];
  pages.tenants.answers.set(`${ADMIN}/backups`, { body: { state: "known", backups, damaged: [] } });
  const owner = { tenant: "hooli", environment: "production" };
  const archive = { size: 77_000_000, sha256: "a".repeat(64), state: "s1", files: 3 };
  pages.tenants.answers.set(BACKUP, { body: { version: 1, id: "b3", owner, createdAt, archive } });
  const backUp = page.getByRole("button", { name: "Create backup" });
  await backUp.click();
  await page.getByText("Backup created").first().waitFor();
  await rows.nth(3).waitFor({ state: "detached" });
  await rows.nth(2).getByText(/11:00/).waitFor();
  expect(await ordersFor(client)).toEqual([{ kind: "instance.backup_ordered", by: "root@north.test" }]);

  pages.tenants.answers.set(BACKUP, { status: 204 });
  await backUp.click();
  await page.getByText("No state to back up yet").first().waitFor();
  const error = { code: "conflict", message: "Not this state." };
  pages.tenants.answers.set(BACKUP, { status: 409, body: { error } });
  await backUp.click();
  await page.getByText("Failed to create a backup").first().waitFor();
  await page.getByText("Not this state.").first().waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
  await close();
});

test("an action in progress keeps the focus, is not repeated, and its result is reported on any page", async () => {
  const { path } = await pages.made("stark");
  const { page, close } = await pages.open("root", path);
  const sent: string[] = [];
  const answer = Promise.withResolvers<void>();
  for (const address of ["**/backup", "**/pin"]) {
    await page.route(address, async (route) => {
      sent.push(new URL(route.request().url()).pathname.split("/").at(-1) ?? "");
      await answer.promise;
      await route.fulfill({ status: 409, json: { error: { code: "conflict", message: "Not this one." } } });
    });
  }
  const hasKeyboard = (one: typeof pin) => one.evaluate((element) => element === document.activeElement);
  const pin = page.getByRole("checkbox", { name: /Pinned/ });
  const backUp = page.getByRole("button", { name: "Create backup" });
  for (const [asked, key] of [
    [pin, "Space"],
    [backUp, "Enter"],
  ] as const) {
    await asked.focus();
    await page.keyboard.press(key);
    await expect.poll(() => asked.getAttribute("aria-disabled")).toBe("true");
    await page.keyboard.press(key);
    expect(await hasKeyboard(asked)).toBe(true);
  }
  expect(sent).toEqual(["pin", "backup"]);
  await page.getByRole("link", { name: "Clients" }).first().click();
  await page.getByRole("heading", { level: 1, name: "Clients" }).waitFor();
  answer.resolve();
  await page.getByText("Failed to create a backup").first().waitFor();
  expect(sent).toEqual(["pin", "backup"]);
  await close();
});

test("a token can be rotated by the keyboard, and not again while a rotation is in progress", async () => {
  const { instance, path } = await pages.made("initech");
  const { page, complaints, close } = await pages.open("north", path);
  const dialog = page.getByRole("dialog", { name: "Rotate gateway token" });
  const more = page.getByRole("button", { name: "More actions" });
  const open = async () => {
    await more.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Rotate token…" }).focus();
    await page.keyboard.press("Enter");
    await dialog.waitFor();
  };
  for (const _ of ["loaded", "there already"]) {
    await open();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => more.evaluate((button) => button === document.activeElement)).toBe(true);
  }
  await open();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  const rotate = dialog.getByRole("button", { name: "Rotate token" });
  await rotate.press("Enter");
  await page.getByText("Rotating the token").first().waitFor();
  await dialog.waitFor({ state: "detached" });
  await heading(page, "Rotate token").waitFor();
  const job = { kind: "rotate_token", status: "queued", payload: { version: 2 }, requested_by: "root@north.test" };
  expect(await jobsOf(instance)).toEqual([job]);
  await open();
  await rotate.press("Enter");
  await dialog.getByRole("alert").getByText(" requested another rotate_token job of", { exact: false }).waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(await jobsOf(instance)).toEqual([job]);
  expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
  await close();
});

test("a tenant gets an image of the catalogue, and then the platform default again", async () => {
  const image = await addImage("2026.10.1", "a");
  const withdrawn = await addImage("2026.9.9", "b");
  await pages.call(imageRoutes.updateImage, { as: "root", params: { id: withdrawn.id }, body: { withdrawn: true } });
  const { instance, path } = await pages.made("umbrella");
  const { page, complaints, close } = await pages.open("root", path);
  const dialog = page.getByRole("dialog", { name: "Change version" });
  const change = dialog.getByRole("button", { name: "Change version" });
  await chooseOfMore(page, "Change version…");
  const choice = dialog.getByRole("combobox", { name: "Image" });
  await choice.waitFor();
  expect(await choice.getByRole("option").allInnerTexts()).not.toContain("openclaw 2026.9.9");
  await expect.poll(() => change.isDisabled()).toBe(true);
  await choice.selectOption({ label: "openclaw 2026.10.1" });
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await change.click();
  await page.getByText("Changing the version").first().waitFor();
  await dialog.waitFor({ state: "detached" });
  await heading(page, "Change version").waitFor();
  const none = { imageId: null, bundleId: null };
  const given = { imageId: image.id, bundleId: null };
  const job = { kind: "adopt_version", status: "queued", requested_by: "root@platform.test" };
  expect(await jobsOf(instance)).toEqual([{ ...job, payload: { to: given, from: none, backup: null } }]);

  // Simulates the result of the job.
  const { pool } = pages.database;
  await pool.query("update tenantry.jobs set status = 'succeeded', ended_at = now() where instance_id = $1", [
    instance,
  ]);
  await pool.query("update tenantry.instances set image_id = $2 where id = $1", [instance, image.id]);
  await page.reload();
  await page.getByRole("region", { name: "Version" }).getByText("openclaw 2026.10.1").waitFor();
  await chooseOfMore(page, "Change version…");
  await expect.poll(() => choice.inputValue()).toBe(image.id);
  await choice.selectOption({ label: "Platform default" });
  await change.click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("queued").first().waitFor();
  expect((await jobsOf(instance)).at(-1)).toEqual({ ...job, payload: { to: none, from: given, backup: null } });
  expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
  await close();
});

test("a change of the Worker keeps the image, even if it changed since the selection", async () => {
  const image = await addImage("2026.10.2", "d");
  const { pool } = pages.database;
  const { rows } = await pool.query(
    "insert into tenantry.worker_bundles (environment, content_hash, release, content) values ('production', $1, '9.9.9', '') returning id",
    ["e".repeat(64)],
  );
  const { instance, path } = await pages.made("tyrell");
  const { page, close } = await pages.open("root", path);
  const dialog = page.getByRole("dialog", { name: "Change version" });
  await chooseOfMore(page, "Change version…");
  await dialog.getByRole("combobox", { name: "Worker" }).selectOption(rows[0].id);
  await pool.query("update tenantry.instances set image_id = $2 where id = $1", [instance, image.id]);
  await page.reload();
  await chooseOfMore(page, "Change version…");
  const choice = dialog.getByRole("combobox", { name: "Image" });
  await choice.waitFor();
  await expect.poll(() => choice.inputValue()).toBe(image.id);
  await dialog.getByRole("button", { name: "Change version" }).click();
  await dialog.waitFor({ state: "detached" });
  const to = { imageId: image.id, bundleId: rows[0].id };
  expect(await jobsOf(instance)).toMatchObject([{ payload: { to } }]);
  await close();
});

test("an image that is too old for the state is changed only with a backup that it can read", async () => {
  const image = await addImage("2026.9.6", "c");
  const { instance, path } = await pages.made("wonka", {
    reported_gateway: "openclaw",
    reported_gateway_version: "2026.11.1",
    reported_at: new Date(),
  });
  const { page, complaints, close } = await pages.open("root", path);
  await chooseOfMore(page, "Change version…");
  const dialog = page.getByRole("dialog", { name: "Change version" });
  const change = dialog.getByRole("button", { name: "Change version" });
  await dialog.getByRole("combobox", { name: "Image" }).selectOption({ label: "openclaw 2026.9.6" });
  const backup = dialog.getByRole("combobox", { name: "Backup to restore" });
  await backup.waitFor();
  await expect.poll(() => change.isDisabled()).toBe(true);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await backup.selectOption("b1");
  await change.click();
  await dialog.waitFor({ state: "detached" });
  await heading(page, "Change version").waitFor();
  const payload = {
    to: { imageId: image.id, bundleId: null },
    from: { imageId: null, bundleId: null },
    backup: "b1",
  };
  expect(await jobsOf(instance)).toMatchObject([{ kind: "adopt_version", payload }]);
  expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
  await close();
});

test("a resumed instance returns to its previous state at once", async () => {
  const { client, instance, path } = await pages.made("cyberdyne");
  await pages.call(clientRoutes.freezeClient, { as: "north", params: { client_id: client }, body: {} });
  const { page, complaints, close } = await pages.open("north", path);
  await page.getByRole("button", { name: "Resume" }).click();
  const dialog = page.getByRole("dialog", { name: "Resume instance" });
  await dialog.waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Resume" }).click();
  await page.getByText("Cyberdyne resumed").first().waitFor();
  await page.getByRole("button", { name: "Restart" }).waitFor();
  expect(await page.getByRole("button", { name: "Resume" }).count()).toBe(0);
  const { rows } = await pages.database.pool.query("select status, frozen_from from tenantry.instances where id = $1", [
    instance,
  ]);
  expect(rows).toEqual([{ status: "running", frozen_from: null }]);
  expect((await jobsOf(instance)).at(-1)).toMatchObject({ kind: "resume", requested_by: "root@north.test" });
  expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
  await close();
});

test("a platform root provisions an instance again with backups of an earlier client", async () => {
  const { instance, path } = await pages.made("revenant", { status: "error", ai_gateway_id: "tenantry-revenant" });
  const { page, complaints, close } = await pages.open("root", path);
  await page.getByRole("button", { name: "Provision again" }).click();
  const dialog = page.getByRole("dialog", { name: "Provision instance again" });
  const kept = dialog.getByLabel("Use kept backups");
  await dialog.getByText(/If an earlier client with the slug revenant left backups/).waitFor();
  await expect.poll(() => kept.isChecked()).toBe(false);
  await kept.check();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Provision again" }).click();
  await page.getByText("Provisioning Revenant").waitFor();
  expect(await jobsOf(instance)).toMatchObject([{ kind: "provision", payload: { use_kept_backups: true } }]);
  expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
  await close();
});
