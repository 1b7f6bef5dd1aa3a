/** What an ADMIN does for the tenant in the console: backups, files, doctor, models, version, plan, freeze and deletion. */
import { findFaultsInAllViews } from "@tenantry/test-kit/accessibility";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { HEALTH, heading, isExpected, snapshot, textOf } from "#workers/dashboard/testing/start-instance-pages.ts";
import { formatDays } from "#workers/dashboard/ui/kit/format.ts";
import { lastDays } from "#workers/dashboard/ui/pages/clients/usage/days.ts";
import { ADMIN, DEVICES, device, settled, startAcmeConsole, USER } from "./testing/acme-console.ts";
import { addCalls } from "./testing/add-calls.ts";
import type { ConsolePages } from "./testing/start-console.ts";

const HOUR_MS = 3_600_000;
/** Path of the tenant's Worker for administrators. */
const TENANT = "/api/admin/gateway";

let console: ConsolePages;
let client: string;
let instance: string;
beforeAll(async () => {
  ({ console, client, instance } = await startAcmeConsole());
});
afterAll(() => console?.stop());
beforeEach(() => console.answerAsUsual());

test("an ADMIN sees why a backup was made, what its restore loses, and uploads another", async () => {
  const { page, close } = await console.enter("acme", ADMIN, "backups");
  const row = page.getByRole("row").filter({ hasText: "Requested by ada@acme.test" });
  await row.getByText("Kept").waitFor();
  await page.getByText("The newest 96 backups stay, each for 30 days.").waitFor();
  await row.getByRole("button", { name: /^Restore backup/ }).click();
  const restore = page.getByRole("dialog", { name: "Restore backup" });
  await restore
    .getByText("1 file was changed since then. All that is new there is lost, messages and settings included:")
    .waitFor();
  await restore.getByText("workspace/NEW.md").waitFor();
  expect(await findFaultsInAllViews(page)).toEqual([]);
  await restore.getByRole("button", { name: "Cancel" }).click();
  const message = "The file is not a backup that can be restored: it is no gzip. Nothing was stored.";
  console.tenants.answers.set(`${TENANT}/backups`, {
    status: 400,
    body: { error: { code: "invalid_request", reason: "upload_invalid", message } },
  });
  await page.getByRole("button", { name: "Upload…" }).click();
  const upload = page.getByRole("dialog", { name: "Upload a backup" });
  await upload.getByLabel("Backup file").setInputFiles({
    name: "a.tar.gz",
    mimeType: "application/gzip",
    buffer: Buffer.from("hello"),
  });
  await upload.getByRole("button", { name: "Upload backup" }).click();
  await upload.getByText(message).waitFor();
  expect(await findFaultsInAllViews(page)).toEqual([]);
  await close();
});

test("an ADMIN edits a file, and sees both versions when the agent changed it meanwhile", async () => {
  const { page, close } = await console.enter("acme", ADMIN, "files");
  await page.getByText("content hidden").waitFor();
  await page.getByRole("button", { name: "workspace" }).click();
  await page.getByRole("button", { name: "MEMORY.md", exact: true }).click();
  await page.getByRole("region", { name: "Content of the file" }).getByText("two").waitFor();
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Text", { exact: true }).fill("one\nmine\n");
  await page.getByRole("button", { name: "Review change" }).click();
  const change = page.getByRole("region", { name: "Your change" });
  await expect.poll(() => change.textContent()).toMatch(/- two\s*\+ mine/);
  expect(await findFaultsInAllViews(page)).toEqual([]);
  console.tenants.answers.set(`${TENANT}/files/content`, {
    status: 409,
    body: { error: { code: "conflict", reason: "file_changed", message: "It was changed. Read it again." } },
  });
  console.tenants.answers.set(`${TENANT}/files/content?path=workspace%2FMEMORY.md`, {
    body: textOf("one\ntheirs\n", "b"),
  });
  await page.getByRole("button", { name: "Save and restart" }).click();
  await page.getByText("The file was changed meanwhile").waitFor();
  await expect
    .poll(() => page.getByRole("region", { name: "How your text differs from theirs" }).textContent())
    .toMatch(/- theirs\s*\+ mine/);
  expect(await findFaultsInAllViews(page)).toEqual([]);
  await page.getByRole("button", { name: "Keep my text" }).click();
  await expect.poll(() => page.getByLabel("Text", { exact: true }).inputValue()).toBe("one\nmine\n");
  console.tenants.answers.set(`${TENANT}/files/content`, { body: { hash: "c".repeat(64), bytes: 9 } });
  await page.getByRole("button", { name: "Review change" }).click();
  await page.getByRole("button", { name: "Save and restart" }).click();
  await page.getByText("File saved").waitFor();
  await close();
});

const DOCTOR = "/api/admin/gateway/doctor";

test("the doctor shows its progress and findings, and repairs after a confirmation", async () => {
  const { page, close } = await console.enter("acme", ADMIN, "doctor");
  await page.getByText(/^The newest backup is of 2026-11-23/).waitFor();
  const { answers, asked } = console.tenants;
  const since = "2026-11-23T09:00:00.000Z";
  const run = { kind: "check", state: "running", step: "checking", startedAt: since };
  answers.set(DOCTOR, { status: 202, body: { run, findings: [] } });
  await page.getByRole("button", { name: "Run doctor" }).click();
  await page.getByRole("status").filter({ hasText: "The doctor checks" }).waitFor();
  const hostile = '<img src="x" onerror="document.title=1">';
  const findings = [
    { check: "core/a", severity: "error", message: hostile, hint: "Run openclaw doctor --fix.", since },
    { check: "core/b", severity: "warning", message: "x".repeat(600), path: "/workspace/".padEnd(200, "x"), since },
  ];
  answers.set(DOCTOR, { body: { run: { ...run, state: "done", endedAt: since }, findings, checkedAt: since } });
  const finding = page.getByRole("listitem").filter({ hasText: hostile });
  await finding.getByText("Agent's doctor: core/a").waitFor();
  expect(await findFaultsInAllViews(page)).toEqual([]);
  answers.set(`${DOCTOR}/repair`, {
    status: 202,
    body: { run: { ...run, kind: "repair", step: "backing_up" }, findings },
  });
  const fault = { kind: "not_backed_up", details: "no room" };
  answers.set(DOCTOR, { body: { run: { ...run, kind: "repair", state: "failed", endedAt: since, fault }, findings } });
  await finding.getByRole("button", { name: "Repair" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Repair" }).click();
  await page.getByText(/Nothing was repaired.*no room/).waitFor();
  answers.set(DOCTOR, {
    body: { run: { ...run, kind: "repair", state: "done", endedAt: since, backup: "b2" }, findings: [] },
  });
  await page.reload();
  // 09:15 UTC in Berlin's time.
  await page.getByText(/To undo the repair, restore the backup of .*10:15.* on the page Backups\./).waitFor();
  expect(asked).toContain(`POST tenant-acme ${DOCTOR}/repair as ROOT`);
  await close();
});

test("a BASE_USER wakes a sleeping agent, and sees no reasons of the platform", async () => {
  const { answers, asked } = console.tenants;
  const ts = "2026-11-23T10:00:00.000Z";
  answers.set("/api/admin/gateway/status", { body: { ts, sandbox: "asleep", warnings: [] } });
  answers.set(HEALTH, { body: snapshot(false, false, false) });
  answers.set("/api/health", { body: { ...snapshot(false, false, true), status: "starting" } });
  const { page, close } = await console.enter("acme", USER);
  await page.getByRole("button", { name: "Wake" }).click();
  await page.getByText("Acme wakes up").waitFor();
  expect(asked).toContain("GET tenant-acme /api/health as ROOT");
  await settled(page);
  expect(await page.content()).not.toMatch(/[Aa]nalytics|dataset|GraphQL/);
  await close();
});

test("an operator views the console without a control that changes anything, and ADMINs see the view", async () => {
  const laptop = { ...device("Laptop"), requestId: "r1" };
  console.tenants.answers.set(DEVICES, {
    body: { pending: [laptop], paired: [{ ...device("Terminal"), connected: true }] },
  });
  const { body } = await console.call(clientRoutes.viewClient, { as: "root", params: { client_id: client } });
  const { pathname, search } = new URL(body.url);
  const context = await console.browser.newContext();
  const page = await context.newPage();
  await page.goto(new URL(pathname + search, console.front.url).href);
  await page.getByText("You view this console as an operator").waitFor();
  await settled(page);
  expect(
    await page
      .getByRole("main")
      .getByRole("button", { name: /Restart|Sleep now|Create backup|Wake/ })
      .count(),
  ).toBe(0);
  await page.getByRole("link", { name: "People" }).click();
  const devices = page.getByRole("region", { name: "Devices", exact: true });
  await devices.getByText("Terminal", { exact: true }).waitFor();
  expect(await devices.getByRole("button").count()).toBe(0);
  await page.getByRole("link", { name: "Home" }).click();
  await page.getByRole("button", { name: "Change window" }).click();
  const dialog = page.getByRole("dialog", { name: "Change the maintenance window" });
  await dialog.getByText("You view this console, and cannot change anything.").waitFor();
  await expect.poll(() => dialog.getByRole("button", { name: "Save window" }).isDisabled()).toBe(true);
  const refused = await page.evaluate(async (path) => {
    const response = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
    return [response.status, await response.text()] as const;
  }, `/console/acme/api/client/instance/${instance}/restart`);
  expect(refused).toEqual([403, expect.stringContaining("console_view_read_only")]);
  expect(console.tenants.asked.join()).not.toContain("/restart");
  await context.close();
  const { page: changes, close } = await console.enter("acme", ADMIN, "changes");
  await changes.getByText("view of the console").first().waitFor();
  const list = changes.getByRole("list", { name: "Changes" });
  await list.getByText(`access of user ${USER}`).waitFor();
  expect(await list.textContent()).not.toMatch(/[0-9a-f]{8}[-…]|_|micros/);
  await close();
});

test("an ADMIN freezes, resumes, deletes by typing the slug, sees the countdown everywhere and undoes it", async () => {
  const { page, close } = await console.enter("acme", ADMIN, "danger");
  await page.getByRole("button", { name: "Freeze…" }).click();
  await page.getByRole("dialog", { name: "Freeze agent" }).getByRole("button", { name: "Freeze agent" }).click();
  await page.getByText("An administrator froze the agent.").waitFor();
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("button", { name: "Freeze…" }).waitFor();

  await page.getByRole("button", { name: "Delete…" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete Acme?" });
  await expect.poll(() => dialog.getByRole("button", { name: "Delete", exact: true }).isDisabled()).toBe(true);
  await dialog.getByRole("textbox").fill("acme");
  expect(await findFaultsInAllViews(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await heading(page, "Deletion scheduled").waitFor();
  await page.getByText(/All is deleted in 6 days 23 h/).waitFor();
  await page.getByRole("button", { name: "Erase now…" }).click();
  const erasing = page.getByRole("dialog", { name: "Erase Acme now?" });
  await expect.poll(() => erasing.getByRole("button", { name: "Erase everything" }).isDisabled()).toBe(true);
  expect(await findFaultsInAllViews(page)).toEqual([]);
  await erasing.getByRole("button", { name: "Cancel" }).click();
  await page.goto(new URL("/console/acme", page.url()).href);
  await page.getByRole("link", { name: "Undo or export" }).click();
  await heading(page, "Deletion scheduled").waitFor();
  expect(await findFaultsInAllViews(page)).toEqual([]);
  await page.getByRole("button", { name: "Undo deletion" }).click();
  await page.getByRole("button", { name: "Freeze…" }).waitFor();
  await close();
});

test("an ADMIN sees who froze or deleted the tenant, and whom to ask", async () => {
  const params = { client_id: client };
  await console.call(clientRoutes.freezeClient, { as: "north", params, body: {} });
  const { page, close } = await console.enter("acme", ADMIN, "danger");
  await page.getByText("Your partner froze the agent.").waitFor();
  expect(await page.getByRole("button", { name: "Resume" }).count()).toBe(0);
  await console.call(clientRoutes.resumeClient, { as: "north", params });
  await console.call(clientRoutes.deleteClient, { as: "north", params });
  await page.reload();
  await page.getByText("Your partner requested it.").waitFor();
  expect(await page.getByRole("button", { name: /Undo|Erase/ }).count()).toBe(0);
  await console.call(clientRoutes.restoreClient, { as: "north", params });
  await close();
});

test("an ADMIN sees what models and people cost, changes the cap within the plan, and sees the tenant's own calls", async () => {
  const { pool } = console.database;
  await pool.query("update tenantry.instances set ai_gateway_id = 'pool-a' where id = $1", [instance]);
  await pool.query("update tenantry.clients set created_at = now() - interval '9 days' where id = $1", [client]);
  await pool.query(
    `insert into tenantry.account_limits (environment, limits, needs, containers, ai_spend)
     values ('production', '{}', '{}', '{}', '{"pro": 200}')`,
  );
  await addCalls(console.cloudflare);
  const { page, complaints, refused, close } = await console.enter("acme", ADMIN, "models");
  const spending = page.getByRole("table", { name: "Spending" });
  await spending.getByRole("row").filter({ hasText: "gpt-5" }).getByText("$3.50").waitFor();
  await page.getByLabel("Divide by").selectOption("Person");
  await spending.getByRole("row").filter({ hasText: "bob@acme.test" }).getByText("$3.00").waitFor();
  await spending
    .getByRole("row")
    .filter({ hasText: "Agent (not attributed to a person)" })
    .getByText("$0.50")
    .waitFor();
  await page.getByLabel("Rows").selectOption("By month");
  await spending.getByRole("columnheader", { name: "Month" }).waitFor();

  const calls = page.getByRole("table", { name: "Calls of models" });
  const own = calls.getByRole("row").filter({ hasText: "openai/gpt-5" });
  await expect.poll(() => own.count()).toBe(2);
  await own.filter({ hasText: "bob@acme.test" }).getByText("in the request").waitFor();
  expect(await page.getByText("stranger").count()).toBe(0);
  await page.getByLabel("Outcome").selectOption("Flagged");
  await expect.poll(() => own.count()).toBe(1);

  await page.getByLabel("Outcome").selectOption("");
  const day = new Date(Date.now() - HOUR_MS).toISOString().slice(0, 10);
  const chosen = page.getByLabel("Day of the calls");
  await chosen.fill("2026-01-02");
  await page.getByText("No calls on Jan 2, 2026").waitFor();
  await chosen.fill(day);
  await expect.poll(() => own.count()).toBe(2);
  // Every card has the period of the page.
  await page.getByLabel("Period", { exact: true }).selectOption("90");
  const [first] = lastDays(90);
  const range = formatDays({ first, last: day });
  for (const title of ["What changed", "Spending by model and person", "Usage"])
    await page.getByRole("region", { name: title, exact: true }).getByText(range, { exact: false }).first().waitFor();

  await page.getByText("At most $200.00 in any 30 days: the limit of your plan.", { exact: false }).waitFor();
  await page.getByRole("button", { name: "Change cap" }).click();
  const dialog = page.getByRole("dialog", { name: "Change the spending cap" });
  const [amount, save] = [dialog.getByLabel("Cap in US dollars"), dialog.getByRole("button", { name: "Save cap" })];
  for (const invalid of ["200.01", "1e3"]) {
    await amount.fill(invalid);
    await expect.poll(() => save.isDisabled()).toBe(true);
  }
  await amount.fill("80.5");
  expect(await findFaultsInAllViews(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await save.click();
  await page.getByRole("meter", { name: "Spent in 30 days" }).waitFor();
  await page.getByText("$0.00 / $80.50").waitFor();
  await page.getByText("your own cap. Your plan permits $200.00.", { exact: false }).waitFor();
  expect(refused).toEqual([]);
  expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
  await close();
});

test("an administrator pins the version, and plans a newer one for the window", async () => {
  const { pool } = console.database;
  await pool.query(
    "update tenantry.instances set managed_by = 'dashboard', reported_gateway = 'openclaw', reported_gateway_version = '2026.9.6', reported_at = now() where id = $1",
    [instance],
  );
  await pool.query(
    "update tenantry.clients set managed_by = 'dashboard', maintenance_days = '{1,2,3,4,5,6,7}', maintenance_start = date_trunc('minute', now() at time zone 'utc' + interval '3 hours')::time, maintenance_hours = 1, maintenance_zone = 'Etc/UTC' where id = $1",
    [client],
  );
  await pool.query(
    "insert into tenantry.images (environment, reference, gateway, gateway_version, release_notes) values ('production', $1, 'openclaw', '2026.10.1', 'Reads faster.')",
    [`r.test/o@sha256:${"a".repeat(64)}`],
  );
  const { page, close } = await console.enter("acme", ADMIN, "version");
  await page.getByRole("checkbox", { name: /^Stay on this version/ }).click();
  await page.getByText(`Pinned by ${ADMIN}`).waitFor();
  const offered = page.getByRole("list", { name: "Available versions" });
  await offered.getByText("Reads faster.").waitFor();
  await offered.getByRole("button", { name: "Change to 2026.10.1" }).click();
  const dialog = page.getByRole("dialog", { name: "Change to version 2026.10.1" });
  await expect.poll(() => dialog.getByRole("radio", { name: /In the maintenance window/ }).isChecked()).toBe(true);
  expect(await findFaultsInAllViews(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Change version" }).click();
  await page.getByText("Change to version 2026.10.1 is planned").waitFor();
  await page.getByRole("button", { name: "Cancel change" }).click();
  await page.getByText("Planned change cancelled").waitFor();
  await close();
});

test("an administrator compares the prices of plans before a change", async () => {
  const { pool } = console.database;
  await pool.query("update tenantry.instances set managed_by = 'dashboard' where id = $1", [instance]);
  await pool.query("update tenantry.clients set managed_by = 'dashboard', billing_plan = 'basic' where id = $1", [
    client,
  ]);
  // The jobs of the tests before would prevent the change.
  await pool.query("update tenantry.jobs set status = 'succeeded', ended_at = now() where ended_at is null");
  const { page, close } = await console.enter("acme", ADMIN, "billing");
  await page.getByRole("button", { name: "Change plan" }).click();
  const dialog = page.getByRole("dialog", { name: "Change plan" });
  await dialog.getByRole("radio", { name: /^Pro/ }).check();
  await dialog.getByText(/\$70\.00 more per month/).waitFor();
  expect(await findFaultsInAllViews(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Change to Pro" }).click();
  await page.getByText("Changing to plan Pro").waitFor();
  await close();
});
