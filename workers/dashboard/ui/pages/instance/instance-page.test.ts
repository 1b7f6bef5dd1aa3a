/** The page of an instance: what is seen of a tenant as it happens, and what is done to it. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { recordHealth } from "#database/health/history.ts";
import { insertClient, insertPoolEntry } from "#database/testing/fixtures.ts";
import { beginJob, endJob, noteStep } from "#database/work/jobs.ts";
import type { HealthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import type { HostFront } from "#workers/dashboard/testing/host-front.ts";
import { LIVE_TOKEN } from "#workers/dashboard/testing/start-dashboard.ts";
import {
  ADMIN,
  chooseOfMore,
  DOMAIN,
  HEALTH,
  heading,
  type InstancePages,
  isExpected,
  snapshot,
  startInstancePages,
} from "#workers/dashboard/testing/start-instance-pages.ts";
import { accessibilityFaults } from "#workers/dashboard/testing/start-pages.ts";
import type { TenantStandIn } from "#workers/dashboard/testing/tenant-stand-in.ts";

const STREAM = "/api/health/ws?passive=1";
/** Bounds a wait; a busy machine may need much of it. */
const SOON = { timeout: 40_000 };
const ts = "2026-11-23T10:00:00.000Z";

let pages: InstancePages;
let tenants: TenantStandIn;
let front: HostFront;
let made: InstancePages["made"];
let open: InstancePages["open"];
beforeAll(async () => {
  pages = await startInstancePages();
  ({ tenants, front, made, open } = pages);
});
beforeEach(() => pages.answerAsUsual());
afterAll(() => pages?.stop());

/** Tells open pages that there are news. */
const push = () =>
  pages.fetch("/internal/live", {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${LIVE_TOKEN}` },
    body: JSON.stringify({
      last: 1,
      events: [{ id: 1, kind: "job.step", partner_id: null, client_id: null, data: {}, at: ts }],
    }),
  });

test("health comes from the tenant's own stream, from the API while there is none, and the page says which", async () => {
  const { path, instance } = await made("acme");
  const { db } = pages.database;
  const now = Date.now();
  await recordHealth(
    db,
    Array.from({ length: 240 }, (_, minute) => ({
      instanceId: instance,
      startupOk: minute > 40 || minute < 30,
      readinessOk: minute > 42 || minute < 30,
      livenessOk: minute > 35 || minute < 30,
      hadBackup: true,
      restored: true,
      latencyMs: 20,
      at: new Date(now - minute * 60_000),
    })),
  );
  tenants.streamsAt = STREAM;
  const { page, complaints, close } = await open("north", path);
  const health = page.getByRole("region", { name: "Health" });
  await expect.poll(() => tenants.sockets.get(STREAM), SOON).toBeDefined();
  const send = (told: HealthSnapshot) => tenants.sockets.get(STREAM)?.send(JSON.stringify(told));
  send(snapshot(true, true, true));
  await health.getByText("Live from the tenant").waitFor();
  await health.getByText("Ready", { exact: true }).waitFor();
  send(snapshot(true, false, true));
  await health.getByText("Degraded", { exact: true }).waitFor();
  await health.getByText("It is away.").waitFor();
  await page.getByText("It is idle, but channels are connected", { exact: false }).waitFor();
  await page.getByRole("img", { name: /Of the looks of the last 24 hours/ }).waitFor();
  await page.getByText("As a table").click();
  await page.getByRole("cell", { name: "fails", exact: true }).first().waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);

  tenants.answers.set(HEALTH, { body: snapshot(true, false, false) });
  front.shut(`acme.${DOMAIN}`);
  await health.getByText("Read every 15 s").waitFor();
  await page.reload();
  await health.getByText("Dead", { exact: true }).waitFor();
  front.letIn(`acme.${DOMAIN}`);
  tenants.sockets.delete(STREAM);
  await expect.poll(() => tenants.sockets.get(STREAM), SOON).toBeDefined();
  send(snapshot(true, true, true));
  await health.getByText("Live from the tenant").waitFor();
  // Whoever looks wakes nobody.
  expect(tenants.asked.filter((call) => call.includes("/api/health") && !call.includes("passive=1"))).toEqual([]);
  expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
  await close();
});

test("a client without an instance gets one, whose work is followed step by step and begun again when it failed", async () => {
  const { db, pool } = pages.database;
  await insertPoolEntry(db, { gateway_id: "shared-1", max_instances: 3 });
  const client = await insertClient(db, {
    ...{ slug: "fresh", name: "Fresh", managed_by: "dashboard", partner_id: pages.partners.north },
  });
  const { page, complaints, close } = await open("north", `/clients/${client}/instance`);
  await page.getByRole("button", { name: "Provision one" }).click();
  const dialog = page.getByRole("dialog", { name: "Provision an instance" });
  await dialog.waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await dialog.getByRole("radio").or(dialog.getByRole("checkbox")).count()).toBe(0);
  await dialog.getByRole("button", { name: "Provision" }).click();
  const job = page.getByRole("region", { name: "Provision", exact: true });
  await job.getByText("queued").first().waitFor();

  const { rows } = await pool.query("select id, instance_id from tenantry.jobs where client_id = $1", [client]);
  const [{ id, instance_id }] = rows as [{ id: string; instance_id: string }];
  const told = { id, slug: "fresh", client_id: client, instance_id };
  await beginJob(db, id, "host");
  const step = (phase: string, resource: string, milliseconds: number) =>
    noteStep(db, told, {
      message: `create ${resource}: ${phase}`,
      data: { phase, resource, type: "tenantry:index:NamespacedScript", operation: "create", milliseconds },
      progress: 45,
    });
  await step("begun", "bucket", 0);
  await step("done", "bucket", 1_200);
  await step("begun", "worker", 0);
  await push();
  await job.getByRole("progressbar", { name: "Provision" }).waitFor();
  await job.getByText("45 %").first().waitFor();
  const steps = job.getByRole("list", { name: "Steps" }).getByRole("listitem");
  expect(await steps.allInnerTexts()).toEqual([
    expect.stringMatching(/^done\s+create\s+bucket NamespacedScript\s+1\.2 s$/),
    expect.stringMatching(/^begun\s+create\s+worker NamespacedScript$/),
  ]);
  await job.getByText("Log", { exact: true }).click();
  await job.getByText("create worker: begun").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);

  await step("failed", "worker", 300);
  await endJob(db, id, "failed", "The account has no room. Raise its limit.");
  await pool.query("update tenantry.instances set status = 'error', state_cause = 'No room.' where id = $1", [
    instance_id,
  ]);
  await push();
  await job.getByText("The account has no room. Raise its limit.").first().waitFor();
  await job.getByRole("button", { name: "Retry: Provision, fresh" }).click();
  await job.getByText("queued").first().waitFor();
  expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
  await close();
});

test("a platform root changes plan and AI gateway, and removes it by typing its name alone", async () => {
  const { db, pool } = pages.database;
  const { path, instance } = await made("hooli", {}, "basic");
  await insertPoolEntry(db, { gateway_id: "full-one", max_instances: 0 });
  await insertPoolEntry(db, { gateway_id: "roomy", max_instances: 9 });
  const { page, complaints, close } = await open("root", path);
  const choose = (name: string) => chooseOfMore(page, name);
  await choose("Change the plan…");
  const plan = page.getByRole("dialog", { name: "Change the plan" });
  await plan.getByRole("radio", { name: /^Enterprise/ }).check();
  await plan.getByText("more a month", { exact: false }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  // Somebody else was quicker.
  await pool.query("update tenantry.instances set state_cause = 'Looked at by Rita.' where id = $1", [instance]);
  await plan.getByRole("button", { name: "Change the plan" }).click();
  await plan.getByRole("button", { name: "Read anew" }).click();
  await plan.getByRole("alert").waitFor({ state: "detached" });
  expect(await plan.getByRole("radio", { name: /^Enterprise/ }).isChecked()).toBe(true);
  await plan.getByRole("button", { name: "Change the plan" }).click();
  await plan.waitFor({ state: "detached" });
  await heading(page, "Change the plan").waitFor();
  const { rows } = await pool.query("select c.billing_plan from tenantry.clients c where c.slug = 'hooli'");
  expect(rows).toEqual([{ billing_plan: "enterprise" }]);

  await choose("Reassign the AI gateway…");
  const gateway = page.getByRole("dialog", { name: "Reassign the AI gateway" });
  expect(await gateway.getByRole("radio", { name: /^full-one/ }).isDisabled()).toBe(true);
  await gateway.getByRole("meter", { name: "Tenants" }).first().waitFor();
  await gateway.getByRole("radio", { name: /^roomy/ }).check();
  expect(await accessibilityFaults(page)).toEqual([]);
  await gateway.getByRole("button", { name: "Move it" }).click();
  await heading(page, "Move to another AI gateway").waitFor();

  await choose("Deprovision…");
  const removal = page.getByRole("dialog", { name: "Deprovision it" });
  const remove = removal.getByRole("button", { name: "Deprovision" });
  await removal.getByRole("textbox").fill("hool");
  expect(await remove.isDisabled()).toBe(true);
  await removal.getByRole("textbox").fill("hooli");
  await remove.click();
  await heading(page, "Remove the instance").waitFor();
  expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
  await close();
});

test("a partner root restores a backup, and gives the present state up by typing its name alone", async () => {
  const { path } = await made("initech");
  const { page, complaints, close } = await open("north", path);
  const backups = page.getByRole("table", { name: "Backups" });
  const row = backups.getByRole("row").nth(1);
  // 09:15 UTC, as Berlin has it.
  await row.getByText(/10:15/).waitFor();
  expect(await row.getByRole("link", { name: /Download/ }).getAttribute("href")).toMatch(/\/backups\/b2$/);
  await row.getByRole("button", { name: /^Restore/ }).click();
  const dialog = page.getByRole("dialog", { name: "Restore this backup" });
  await dialog.getByRole("checkbox").check();
  expect(await dialog.getByRole("button", { name: "Restore" }).isDisabled()).toBe(true);
  await dialog.getByRole("textbox").fill("initech");
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Restore" }).click();
  await heading(page, "Restore a backup").waitFor();
  const { rows } = await pages.database.pool.query("select payload from tenantry.jobs where kind = 'restore_backup'");
  expect(rows).toEqual([{ payload: { backup_id: "b2", discard_present: true } }]);
  // What platform roots alone may do is not there.
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menu").waitFor();
  expect(await page.getByRole("menuitem").allInnerTexts()).toEqual([
    "Change the plan…",
    "Rotate the token…",
    "Freeze…",
    "Deprovision…",
  ]);
  expect(await page.getByRole("checkbox", { name: /Pinned/ }).count()).toBe(0);
  expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
  await close();
});

test("an instance of Git's names the file that declares it, and offers what Git does not declare alone", async () => {
  const owner = "urn:pulumi:production-umbrella::tenantry::tenantry:index:InstanceRecord::umbrella";
  const { path } = await made("umbrella", { managed_by: "git", owner, ai_gateway_id: "shared-1" });
  const { page, complaints, close } = await open("root", path);
  const note = page.getByRole("note").filter({ hasText: "Declared in Git" });
  await note.getByText("tenants/Pulumi.production-umbrella.yaml").first().waitFor();
  await note.getByText("What the file says").click();
  await note.getByText("slug: umbrella").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menu").waitFor();
  expect(await page.getByRole("menuitem").allInnerTexts()).toEqual(["Freeze…"]);
  await page.getByRole("menuitem").click();
  const dialog = page.getByRole("dialog", { name: "Freeze it" });
  await dialog.getByRole("textbox").fill("Asked for by mail.");
  await page.reload();
  // What was typed is there after a reload.
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem").click();
  expect(await dialog.getByRole("textbox").inputValue()).toBe("Asked for by mail.");
  await dialog.getByRole("button", { name: "Freeze" }).click();
  await page.getByText("Asked for by mail.").waitFor();
  await page.getByText("it takes no traffic, and its gateway is not looked at", { exact: false }).waitFor();
  // The way back is at hand.
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Restart" }).waitFor();
  expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
  await close();
});

test("what cannot be read is told with its remedy, and read again when that is asked for", async () => {
  const { path } = await made("wonka");
  const { page, close } = await open("root", path);
  await page.getByRole("table", { name: "Backups" }).waitFor();
  tenants.answers.set(`${ADMIN}/log`, { status: 500, body: {} });
  await page.getByRole("button", { name: "Show" }).click();
  const log = page.getByRole("region", { name: "Log", exact: true });
  await log.getByRole("alert").getByText("The tenant does not respond. Try again in a moment.").waitFor(SOON);
  tenants.answers.set(`${ADMIN}/log`, { body: { lines: ["three"] } });
  await log.getByRole("button", { name: "Try again" }).click();
  await log.getByText("three").waitFor();
  await page.route("**/client/instance/*", (route) => route.fulfill({ status: 503, body: "{}" }));
  await page.reload();
  await page.getByText("This could not be read").waitFor(SOON);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.unroute("**/client/instance/*");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("table", { name: "Backups" }).waitFor();
  await close();
});
