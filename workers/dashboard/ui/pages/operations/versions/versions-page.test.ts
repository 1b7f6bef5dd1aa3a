/** The catalogue of versions, and rollouts from start to rollback. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { imageRoutes } from "#workers/contracts/api/tenants/images.ts";
import { rolloutRoutes } from "#workers/contracts/api/tenants/rollouts.ts";
import { findAccessibilityFaults, type PagesUnderTest, startPages } from "#workers/dashboard/testing/start-pages.ts";

const as = "root" as const;
const PATH = "/operations/versions";
const reference = (digit: string) => `registry.test/gateway@sha256:${digit.repeat(64)}`;

let pages: PagesUnderTest;
beforeAll(async () => {
  pages = await startPages();
  await pages.database.pool.query(
    "insert into tenantry.worker_bundles (environment, content_hash, release, content) values ('production', $1, '0.1.0', '')",
    ["c".repeat(64)],
  );
});
afterAll(() => pages?.stop());

const add = async (gateway_version: string, digit: string) =>
  (await pages.call(imageRoutes.addImage, { as, body: { reference: reference(digit), gateway_version } })).body;

test("all parts of the page appear together", async () => {
  const { page, context, close } = await pages.open(as, "/operations/capacity");
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await context.route(
    (url) => url.pathname === "/rollouts",
    async (route) => {
      await held;
      await route.continue();
    },
  );
  const images = page.waitForResponse((response) => new URL(response.url()).pathname === "/images");
  await page.getByRole("link", { name: "Versions" }).click();
  await images;
  await page.getByRole("heading", { name: "Versions" }).waitFor();
  expect(await page.getByRole("button", { name: "Add image" }).count()).toBe(0);
  letGo();
  await page.getByRole("button", { name: "Add image" }).first().waitFor();
  await expect.poll(() => page.getByText("No rollouts yet").count()).toBe(1);
  await close();
});

test("an image requires a digest, and entries survive a rejection", async () => {
  const { page, complaints, close } = await pages.open(as, PATH);
  await page.getByText("No images yet").waitFor();
  await page.getByText("No rollouts yet").waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Add image" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Add image" });
  await dialog.getByRole("textbox", { name: "Image" }).fill("registry.test/gateway:latest");
  await dialog.getByRole("textbox", { name: "Version" }).fill("1.0.0");
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Add" }).click();
  await dialog.getByText(/must name a digest/).waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Add image" }).first().click();
  await expect.poll(() => dialog.getByRole("textbox", { name: "Version" }).inputValue()).toBe("1.0.0");
  await dialog.getByRole("textbox", { name: "Image" }).fill(reference("a"));
  await dialog.getByRole("button", { name: "Add" }).click();
  await page.getByRole("row", { name: /openclaw 1\.0\.0/ }).waitFor();
  expect(complaints.filter((complaint) => !complaint.includes("400"))).toEqual([]);
  await close();
});

test("the default image can be set and withdrawn by the keyboard, and undo restores both", async () => {
  await add("1.1.0", "e");
  const { page, close } = await pages.open(as, PATH);
  const row = page.getByRole("row", { name: /openclaw 1\.1\.0/ });
  await row.getByRole("button", { name: /Actions for/ }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Use for new tenants" }).waitFor();
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await row.getByText("new tenants").waitFor();
  await row.getByRole("button", { name: /Actions for/ }).click();
  await page.getByRole("menuitem", { name: /Withdraw/ }).click();
  await row.getByText("withdrawn").waitFor();
  const reported = page.getByRole("dialog").filter({ hasText: "openclaw 1.1.0 withdrawn" });
  await reported.getByRole("button", { name: "Undo" }).click();
  await row.getByText("new tenants").waitFor();
  await close();
});

test("a Worker counts tenants of Git that report it, and the others are listed with their stack", async () => {
  const { db, pool } = pages.database;
  const urn = (slug: string) => `urn:pulumi:prod::tenantry::tenantry:components:Instance::${slug}`;
  for (const [slug, reported] of [
    ["reports-catalogued", "c".repeat(64)],
    ["reports-own-a", "d".repeat(64)],
    ["reports-own-b", "d".repeat(64)],
    ["reports-nothing", null],
  ] as const) {
    const client = await insertClient(db, { slug, managed_by: "git" });
    const id = await insertInstance(db, client, { managed_by: "git" });
    await pool.query("update tenantry.instances set owner = $2, reported_bundle = $3 where id = $1", [
      id,
      urn(slug),
      reported,
    ]);
  }
  const { page, close } = await pages.open(as, PATH);
  const workers = page.getByRole("region", { name: "Workers" });
  await workers.getByRole("row", { name: /^0\.1\.0 Available 1 c{12}/ }).waitFor();
  await expect
    .poll(() => workers.getByRole("list", { name: "Other Workers" }).getByRole("listitem").allInnerTexts())
    .toEqual([
      "2 tenants of Pulumi.prod.yaml: the Worker that its stack built, dddddddddddd, which is not in this list.",
      "1 tenant of Pulumi.prod.yaml: Worker not reported yet. Tenants report it within an hour after their start.",
    ]);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await pool.query("delete from tenantry.instances where owner like 'urn:pulumi:prod::%'");
  await close();
});

test("a withdrawal of a Worker or image offers undo on any page", async () => {
  await add("1.3.0", "9");
  const { page, close } = await pages.open(as, PATH);
  for (const [row, name, address] of [
    [/openclaw 1\.3\.0/, "openclaw 1.3.0", "**/images/*"],
    [/0\.1\.0/, "Worker 0.1.0", "**/worker-bundles/*"],
  ] as const) {
    const answer = Promise.withResolvers<void>();
    await page.route(address, (route) => answer.promise.then(() => route.continue()));
    await page
      .getByRole("row", { name: row })
      .getByRole("button", { name: /Actions for/ })
      .click();
    await page.getByRole("menuitem", { name: /Withdraw/ }).click();
    await page.getByRole("link", { name: "Capacity" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Capacity" }).waitFor();
    answer.resolve();
    const reported = page.getByRole("dialog").filter({ hasText: name });
    await reported.getByRole("button", { name: "Undo" }).click();
    await page
      .getByText(new RegExp(`${name}.* restored`))
      .first()
      .waitFor();
    await page.getByRole("link", { name: "Versions" }).first().click();
  }
  await close();
});

test("a conflicting note keeps the entry, and saves after a reload", async () => {
  const image = await add("1.2.0", "f");
  const { page, close } = await pages.open(as, PATH);
  await page
    .getByRole("row", { name: /1\.2\.0/ })
    .getByRole("button", { name: /Actions for/ })
    .click();
  await page.getByRole("menuitem", { name: "Edit notes" }).click();
  const dialog = page.getByRole("dialog", { name: /Edit notes of/ });
  await dialog.getByRole("textbox", { name: /^Note/ }).fill("mine");
  await pages.call(imageRoutes.updateImage, { as, params: { id: image.id }, body: { note: "theirs" } });
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("button", { name: "Reload" }).click();
  await dialog.getByRole("button", { name: "Reload" }).waitFor({ state: "detached" });
  await expect.poll(() => dialog.getByRole("textbox", { name: /^Note/ }).inputValue()).toBe("mine");
  await dialog.getByRole("textbox", { name: "Release notes" }).fill("Reads faster.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("row", { name: /mine/ }).waitFor();
  await close();
});

test("a rollout can be started, followed live, paused, stopped and rolled back", async () => {
  const { db, pool } = pages.database;
  for (const [slug, is_canary] of [
    ["canary", true],
    ["one", false],
    ["two", false],
  ] as const) {
    await insertInstance(db, await insertClient(db, { slug, managed_by: "dashboard", is_canary }), {
      managed_by: "dashboard",
    });
  }
  await add("2.0.0", "b");
  const { page, complaints, close } = await pages.open(as, PATH);
  await page.getByRole("button", { name: "Start rollout" }).click();
  const form = page.getByRole("dialog", { name: "Start rollout" });
  const start = form.getByRole("button", { name: "Start rollout" });
  await expect.poll(() => start.isDisabled()).toBe(true);
  await form.getByRole("combobox", { name: "Image" }).selectOption({ label: "openclaw 2.0.0" });
  await form.getByRole("textbox", { name: "Waves", exact: true }).fill("50, 20");
  await form.getByText(/rising percentages/).waitFor();
  await expect.poll(() => start.isDisabled()).toBe(true);
  await form.getByRole("textbox", { name: "Waves", exact: true }).fill("50, 100");
  await form.getByRole("checkbox", { name: /urgent/i }).check();
  await form
    .getByRole("alert")
    .getByText(/interrupts users without notice/)
    .waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  // Discarded entries do not return.
  await form.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Start rollout" }).click();
  await expect.poll(() => form.getByRole("checkbox", { name: /urgent/i }).isChecked()).toBe(false);
  await form.getByRole("combobox", { name: "Image" }).selectOption({ label: "openclaw 2.0.0" });
  await form.getByRole("textbox", { name: "Waves", exact: true }).fill("50, 100");
  await start.click();

  await page.getByRole("heading", { name: "Rollout of openclaw 2.0.0" }).waitFor();
  await page.getByText("0 of 3 tenants have the version").waitFor();
  await expect
    .poll(() => page.getByRole("listitem").filter({ hasText: "in progress" }).getAttribute("aria-current"))
    .toBe("step");
  await page.getByText("Live", { exact: true }).first().waitFor();
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await pool.query("update tenantry.rollout_tenants set status = 'done', changed_at = now() where wave = 0");
  await pool.query("update tenantry.rollouts set wave = 1 where id = $1", [id]);
  await pool.query("insert into tenantry.events (environment, kind, data) values ('production', 'rollout.wave', '{}')");
  await pages.pushEvents();
  await page.getByText("1 of 3 tenants have the version").waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole("combobox", { name: "Status" }).selectOption("done");
  await page
    .getByRole("row", { name: /waiting/ })
    .first()
    .waitFor({ state: "detached" });
  await expect.poll(() => page.getByRole("table").getByRole("link").allTextContents()).toEqual(["canary"]);

  const carryOut = async (button: string, shows: string) => {
    await page.getByRole("button", { name: button, exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: button, exact: true }).click();
    await page.getByRole("status").getByText(shows, { exact: true }).waitFor();
  };
  await carryOut("Pause rollout", "paused");
  // A conflicting change of which the page has no event.
  await page.getByRole("button", { name: "Stop" }).click();
  await pages.call(rolloutRoutes.resumeRollout, { as, params: { id } });
  await page.getByRole("dialog").getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Reload" }).click();
  await page.getByRole("button", { name: "Reload" }).waitFor({ state: "detached" });
  await page.getByRole("dialog").getByRole("button", { name: "Stop" }).click();
  await page.getByRole("status").getByText("stopped", { exact: true }).waitFor();
  expect(await page.getByRole("button", { name: "Resume" }).count()).toBe(0);
  await carryOut("Roll back tenants", "rolling back");
  await pool.query(
    "update tenantry.rollouts set status = 'failed', ended_at = now(), cause = 'canary: it is dead.' where id = $1",
    [id],
  );
  await page.reload();
  await page.getByRole("region", { name: "Cause of the rollback" }).getByText("canary: it is dead.").waitFor();
  expect(complaints.filter((complaint) => !complaint.includes("412"))).toEqual([]);
  await close();
});

test("a wave shows the state of all its tenants, however many there are", async () => {
  const { pool } = pages.database;
  const { rows } = await pool.query(`
    with made as (
      insert into tenantry.clients (slug, name, billing_plan, status, managed_by)
      select 'many-' || n, 'many', 'basic', 'production', 'dashboard' from generate_series(1, 620) n returning id),
    run as (
      insert into tenantry.instances (client_id, environment, status, worker_name, managed_by)
      select id, 'production', 'running', 'tenant-' || id, 'dashboard' from made returning id),
    rolled as (
      insert into tenantry.rollouts (image_id, waves, soak_minutes, notice_hours, is_urgent, requested_by, wave)
      select id, '{100}', 0, 0, false, 'root@platform.test', 1 from tenantry.images limit 1 returning id),
    reached as (
      insert into tenantry.rollout_tenants (rollout_id, instance_id, wave, status)
      select rolled.id, run.id, 1, case when row_number() over () > 600 then 'failed' else 'waiting' end from rolled, run)
    select id from rolled`);
  const { page, complaints, close } = await pages.open(as, `/operations/rollouts/${rows[0].id}`);
  const waves = page.getByRole("region", { name: "Waves" });
  await waves.getByText("0 of 620 tenants have the version").waitFor();
  await expect.poll(() => waves.getByRole("listitem").nth(1).getByText("600 waiting, 20 failed").count()).toBe(1);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

test("a failed part of the page shows its error, and loads on retry", async () => {
  const { page, context, close } = await pages.open(as, "/operations/capacity");
  let isAway = true;
  await context.route("**/worker-bundles", (route) =>
    isAway
      ? route.fulfill({ status: 403, json: { error: { code: "forbidden", message: "Not now." } } })
      : route.continue(),
  );
  await page.getByRole("link", { name: "Versions" }).click();
  const workers = page.getByRole("region", { name: "Workers" });
  await workers.getByText("Not now.").waitFor();
  await page.getByRole("table", { name: "Images" }).waitFor();
  isAway = false;
  await workers.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("table", { name: "Workers" }).waitFor();
  await close();
});
