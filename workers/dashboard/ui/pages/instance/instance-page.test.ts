/** The page of an instance: live state and actions. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { recordHealth } from "#database/health/history.ts";
import { insertClient, insertPoolEntry } from "#database/testing/fixtures.ts";
import { addJobStep, beginJob, endJob } from "#database/work/jobs.ts";
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
import { findAccessibilityFaults } from "#workers/dashboard/testing/start-pages.ts";
import type { TenantStandIn } from "#workers/dashboard/testing/tenant-stand-in.ts";

const STREAM = "/api/health/ws?passive=1";
/** Enough for a busy machine. */
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

/** Sends a live event to open pages. */
const push = () =>
  pages.fetch("/internal/live", {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${LIVE_TOKEN}` },
    body: JSON.stringify({
      last: 1,
      events: [{ id: 1, kind: "job.step", partner_id: null, client_id: null, data: {}, at: ts }],
    }),
  });

test("health comes from the tenant's stream, or from the API without a stream, and the page names the source", async () => {
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
  const send = (reported: HealthSnapshot) => tenants.sockets.get(STREAM)?.send(JSON.stringify(reported));
  send(snapshot(true, true, true));
  await health.getByText("Live from the agent").waitFor();
  await health.getByText("Ready", { exact: true }).waitFor();
  send(snapshot(true, false, true));
  await health.getByText("Degraded", { exact: true }).waitFor();
  await health.getByText("It is away.").waitFor();
  await page.getByText("It stays awake although it is idle: connected channels", { exact: false }).waitFor();
  await page.getByRole("img", { name: /Availability, last 24 hours/ }).waitFor();
  await page.getByText("Show as table").click();
  await page.getByRole("cell", { name: "failed", exact: true }).first().waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);

  tenants.answers.set(HEALTH, { body: snapshot(true, false, false) });
  front.shut(`acme.${DOMAIN}`);
  await health.getByText("Updates every 15 s").waitFor();
  await page.reload();
  await health.getByText("Dead", { exact: true }).waitFor();
  front.letIn(`acme.${DOMAIN}`);
  tenants.sockets.delete(STREAM);
  await expect.poll(() => tenants.sockets.get(STREAM), SOON).toBeDefined();
  send(snapshot(true, true, true));
  await health.getByText("Live from the agent").waitFor();
  // Viewing the page does not wake the tenant.
  expect(tenants.asked.filter((call) => call.includes("/api/health") && !call.includes("passive=1"))).toEqual([]);
  expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
  await close();
});

test("a client gets an instance, with the progress of each step and a retry after a failure", async () => {
  const { db, pool } = pages.database;
  await insertPoolEntry(db, { gateway_id: "shared-1", max_instances: 3 });
  const client = await insertClient(db, {
    ...{ slug: "fresh", name: "Fresh", managed_by: "dashboard", partner_id: pages.partners.north },
  });
  const { page, complaints, close } = await open("north", `/clients/${client}/instance`);
  await page.getByRole("button", { name: "Provision instance" }).click();
  const dialog = page.getByRole("dialog", { name: "Provision instance" });
  await dialog.waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  expect(await dialog.getByRole("radio").or(dialog.getByRole("checkbox")).count()).toBe(0);
  await dialog.getByRole("button", { name: "Provision" }).click();
  const job = page.getByRole("region", { name: "Provision", exact: true });
  await job.getByText("queued").first().waitFor();

  const { rows } = await pool.query("select id, instance_id from tenantry.jobs where client_id = $1", [client]);
  const [{ id, instance_id }] = rows as [{ id: string; instance_id: string }];
  const reported = { id, slug: "fresh", client_id: client, instance_id };
  await beginJob(db, id, "host");
  const step = (phase: string, resource: string, milliseconds: number) =>
    addJobStep(db, reported, {
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
  await expect
    .poll(() => steps.allInnerTexts(), SOON)
    .toEqual([
      expect.stringMatching(/^Done\s+create\s+bucket NamespacedScript\s+1\.2 s$/),
      expect.stringMatching(/^Running\s+create\s+worker NamespacedScript$/),
    ]);
  await job.getByText("Log", { exact: true }).click();
  await job.getByText("create worker: begun").waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);

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

test("a platform root changes plan and AI gateway, and deprovisions the instance by typing its slug", async () => {
  const { db, pool } = pages.database;
  const { path, instance } = await made("hooli", {}, "basic");
  await insertPoolEntry(db, { gateway_id: "full-one", max_instances: 0 });
  await insertPoolEntry(db, { gateway_id: "roomy", max_instances: 9 });
  const { page, complaints, close } = await open("root", path);
  const choose = (name: string) => chooseOfMore(page, name);
  await choose("Change plan…");
  const plan = page.getByRole("dialog", { name: "Change plan" });
  await plan.getByRole("radio", { name: /^Enterprise/ }).check();
  await plan.getByText("more per month", { exact: false }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  // A conflicting change by another user.
  await pool.query("update tenantry.instances set state_cause = 'Checked by Rita.' where id = $1", [instance]);
  await plan.getByRole("button", { name: "Change plan" }).click();
  await plan.getByRole("button", { name: "Reload" }).click();
  await plan.getByRole("alert").waitFor({ state: "detached" });
  await expect.poll(() => plan.getByRole("radio", { name: /^Enterprise/ }).isChecked()).toBe(true);
  await plan.getByRole("button", { name: "Change plan" }).click();
  await plan.waitFor({ state: "detached" });
  await heading(page, "Change plan").waitFor();
  const { rows } = await pool.query("select c.billing_plan from tenantry.clients c where c.slug = 'hooli'");
  expect(rows).toEqual([{ billing_plan: "enterprise" }]);

  await choose("Reassign AI gateway…");
  const gateway = page.getByRole("dialog", { name: "Reassign AI gateway" });
  await expect.poll(() => gateway.getByRole("radio", { name: /^full-one/ }).isDisabled()).toBe(true);
  await gateway.getByRole("meter", { name: "Tenants" }).first().waitFor();
  await gateway.getByRole("radio", { name: /^roomy/ }).check();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await gateway.getByRole("button", { name: "Reassign gateway" }).click();
  await gateway.waitFor({ state: "detached" });
  await heading(page, "Reassign AI gateway").waitFor();

  const inbox = { messages: [], status: { pending: 3, dead: 1, limit: 1_000 } };
  tenants.answers.set("/api/internal/inbox?limit=50", { body: inbox });
  await choose("Deprovision instance…");
  const removal = page.getByRole("dialog", { name: "Deprovision instance" });
  const remove = removal.getByRole("button", { name: "Deprovision" });
  await removal.getByText("3 waiting and 1 failed messages of its inbox").waitFor();
  await removal.getByRole("textbox").fill("hool");
  await expect.poll(() => remove.isDisabled()).toBe(true);
  await removal.getByRole("textbox").fill("hooli");
  await remove.click();
  await removal.waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "Deprovision", exact: true }).waitFor();
  expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
  await close();
});

test("a partner root restores a backup, and discards the current state by typing the slug", async () => {
  const { path } = await made("initech");
  const { page, complaints, close } = await open("north", path);
  const backups = page.getByRole("table", { name: "Backups" });
  const row = backups.getByRole("row").nth(2);
  await backups.getByText(/23, 2026$/).waitFor();
  // 09:15 UTC in Berlin's time.
  await row.getByText(/10:15/).waitFor();
  await expect.poll(() => row.getByRole("link", { name: /Download/ }).getAttribute("href")).toMatch(/\/backups\/b2$/);
  await row.getByRole("button", { name: /^Restore/ }).click();
  const dialog = page.getByRole("dialog", { name: "Restore backup" });
  await dialog.getByRole("checkbox").check();
  await expect.poll(() => dialog.getByRole("button", { name: "Restore" }).isDisabled()).toBe(true);
  await dialog.getByRole("textbox").fill("initech");
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Restore" }).click();
  await dialog.waitFor({ state: "detached" });
  await heading(page, "Restore backup").waitFor();
  const { rows } = await pages.database.pool.query("select payload from tenantry.jobs where kind = 'restore_backup'");
  expect(rows).toEqual([{ payload: { backup_id: "b2", discard_present: true } }]);
  // Actions of platform roots are missing.
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menu").waitFor();
  await expect
    .poll(() => page.getByRole("menuitem").allInnerTexts())
    .toEqual(["Change plan…", "Rotate token…", "Freeze instance…", "Deprovision instance…"]);
  expect(await page.getByRole("checkbox", { name: /Pinned/ }).count()).toBe(0);
  expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
  await close();
});

test("an instance managed in Git names its file, and offers only actions that Git does not manage", async () => {
  const owner = "urn:pulumi:production-umbrella::tenantry::tenantry:index:InstanceRecord::umbrella";
  const { path } = await made("umbrella", { managed_by: "git", owner, ai_gateway_id: "shared-1" });
  const { page, complaints, close } = await open("root", path);
  const note = page.getByRole("note").filter({ hasText: "Managed in Git" });
  await note.getByText("tenants/Pulumi.production-umbrella.yaml").first().waitFor();
  await note.getByText("Show file").click();
  await note.getByText("slug: umbrella").waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menu").waitFor();
  await expect.poll(() => page.getByRole("menuitem").allInnerTexts()).toEqual(["Freeze instance…"]);
  await page.getByRole("menuitem").click();
  const dialog = page.getByRole("dialog", { name: "Freeze instance" });
  await dialog.getByRole("textbox").fill("Asked for by mail.");
  await page.reload();
  // Entries survive a reload.
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem").click();
  await expect.poll(() => dialog.getByRole("textbox").inputValue()).toBe("Asked for by mail.");
  await dialog.getByRole("button", { name: "Freeze" }).click();
  await page.getByText("Asked for by mail.").waitFor();
  await page.getByText(/^Since .* Resume the instance to undo the freeze\.$/).waitFor();
  await page.getByText("It accepts no traffic, and is not probed", { exact: false }).waitFor();
  // The toast offers to undo.
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Restart" }).waitFor();
  expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
  await close();
});

test("the probes of a sleeping container are not shown as failed", async () => {
  const { path } = await made("stark");
  const usual = await tenants.answers.get(`${ADMIN}/status`);
  const asleep = { ...(usual?.body as object), sandbox: "asleep", sleep: null };
  tenants.answers.set(`${ADMIN}/status`, { body: asleep });
  tenants.answers.set(HEALTH, { body: snapshot(false, false, false) });
  const { page, close } = await open("root", path);
  const health = page.getByRole("region", { name: "Health", exact: true });
  await health.getByText("The agent sleeps. The next message or visit wakes it.").waitFor(SOON);
  await expect.poll(() => health.getByText("asleep:").count()).toBe(3);
  expect(await health.getByText("It is away.").count()).toBe(0);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await close();
});

test("a failed request shows a remedy, and loads on retry", async () => {
  const { path } = await made("wonka");
  const { page, close } = await open("root", path);
  await page.getByRole("table", { name: "Backups" }).waitFor();
  tenants.answers.set(`${ADMIN}/log`, { status: 500, body: {} });
  await page.getByRole("button", { name: "Show log" }).click();
  const log = page.getByRole("region", { name: "Log", exact: true });
  await log.getByRole("alert").getByText("The agent does not respond. Try again in a moment.").waitFor(SOON);
  tenants.answers.set(`${ADMIN}/log`, { body: { lines: ["three"] } });
  await log.getByRole("button", { name: "Try again" }).click();
  await log.getByText("three").waitFor();
  await page.route("**/client/instance/*", (route) => route.fulfill({ status: 503, body: "{}" }));
  await page.reload();
  await page.getByText("Failed to load").waitFor(SOON);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.unroute("**/client/instance/*");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("table", { name: "Backups" }).waitFor();
  await close();
});
