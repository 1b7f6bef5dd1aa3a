/** The list of jobs, their progress, and cancel and retry by role. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { requestJob } from "#database/work/job-request.ts";
import { addJobStep, beginJob, endJob } from "#database/work/jobs.ts";
import type { JobKind } from "#domain/entities/job.ts";
import { findAccessibilityFaults, type PagesUnderTest, startPages } from "#workers/dashboard/testing/start-pages.ts";

const CAUSE = "The account has no more room. Remove what nobody needs, then ask again.";

let pages: PagesUnderTest;
beforeAll(async () => {
  pages = await startPages();
});
afterAll(() => pages?.stop());

async function tenant(slug: string, partner_id = pages.partners.north) {
  const { db } = pages.database;
  const clientId = await insertClient(db, { slug, managed_by: "dashboard", partner_id });
  return { slug, clientId, instanceId: await insertInstance(db, clientId, { managed_by: "dashboard" }) };
}
const ask = (of: Awaited<ReturnType<typeof tenant>>, kind: JobKind, payload: object = {}) =>
  requestJob(pages.database.db, {
    ...of,
    kind,
    payload,
    requestedBy: "root@north.test",
    environment: "production",
  });

test("the address contains the filter; a failed job shows its cause, and a retry leads to the new job", async () => {
  const failed = await ask(await tenant("acme"), "change_plan", { from: "basic", to: "pro" });
  await endJob(pages.database.db, failed, "failed", CAUSE);
  await ask(await tenant("hooli"), "rotate_token");
  const { page, complaints, close } = await pages.open("north", "/operations");
  await page.getByRole("link", { name: "Rotate token" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/operations/jobs");
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole("combobox", { name: "Status" }).selectOption("failed");
  await page.getByRole("link", { name: "Rotate token" }).waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("link", { name: "Change plan" }).click();
  await page.getByRole("region", { name: "Cause of failure" }).getByText(CAUSE).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Retry: Change plan, acme" }).click();
  await page.getByText("Job requested again").waitFor();
  await page.getByRole("button", { name: "Cancel: Change plan, acme" }).waitFor();
  expect(page.url()).not.toContain(failed);
  await page.goto(new URL(`/operations/jobs/${failed}`, pages.url).href);
  await page.getByRole("link", { name: "the later job" }).waitFor();
  expect(await page.getByRole("button", { name: /Retry/ }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test("a queued job can be cancelled in the list, and requested again from the toast", async () => {
  await ask(await tenant("initech"), "rotate_token");
  const { page, close } = await pages.open("root", "/operations/jobs?kind=rotate_token");
  const row = page.getByRole("row", { name: /initech/ });
  await row.getByRole("button", { name: "Cancel: Rotate token, initech" }).click();
  await row.getByText("cancelled", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Request job again" }).click();
  await page.getByRole("button", { name: "Cancel: Rotate token, initech" }).waitFor();
  await close();
});

test("the result of an action is reported on any page", async () => {
  await ask(await tenant("tyrell"), "rotate_token");
  const { page, close } = await pages.open("root", "/operations/jobs?kind=rotate_token");
  const answer = Promise.withResolvers<void>();
  await page.route("**/jobs/*/cancel", (route) =>
    answer.promise.then(() =>
      route.fulfill({ status: 409, json: { error: { code: "conflict", message: "It has begun." } } }),
    ),
  );
  await page.getByRole("button", { name: "Cancel: Rotate token, tyrell" }).click();
  await page.getByRole("link", { name: "Incidents" }).first().click();
  await page.getByRole("heading", { level: 1, name: "Incidents" }).waitFor();
  answer.resolve();
  await page.getByText("Failed to cancel the job").first().waitFor();
  await close();
});

test("a running job shows its steps live", async () => {
  const { db } = pages.database;
  const of = await tenant("wonka");
  const id = await ask(of, "provision");
  const { page, complaints, close } = await pages.open("north", `/operations/jobs/${id}`);
  await page.getByRole("status").filter({ hasText: "queued" }).waitFor();
  await page.getByText("Live", { exact: true }).first().waitFor();
  await beginJob(db, id, "host");
  const job = { id, slug: of.slug, client_id: of.clientId, instance_id: of.instanceId };
  const step = { operation: "create", type: "tenantry:index:TenantScript", resource: "script", milliseconds: 0 };
  await addJobStep(db, job, { message: "creating script", data: { ...step, phase: "begun" }, progress: 40 });
  await pages.pushEvents();
  await page.getByRole("progressbar", { name: "Progress" }).waitFor();
  await expect.poll(() => page.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("40");
  await page.getByText("creating script").waitFor();
  const done = { ...step, phase: "done", milliseconds: 2_500 };
  await addJobStep(db, job, { message: "created script", data: done, progress: 90 });
  await endJob(db, id, "succeeded");
  await pages.pushEvents();
  await page.getByRole("status").filter({ hasText: "succeeded" }).waitFor();
  await page.getByText("2.5 s").waitFor();
  expect(await page.getByText("running", { exact: true }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test("a job that the viewer cannot retry names who can", async () => {
  const of = await tenant("umbrella");
  const version = await ask(of, "adopt_version");
  await endJob(pages.database.db, version, "failed", "It did not run.");
  const { page, close } = await pages.open("north", `/operations/jobs/${version}`);
  await page.getByText("Only platform roots can retry this job").waitFor();
  expect(await page.getByRole("button", { name: /Retry/ }).count()).toBe(0);
  await close();
  const root = await pages.open("root", `/operations/jobs/${version}`);
  await root.page.getByRole("button", { name: "Retry: Change version, umbrella" }).waitFor();
  await root.close();
  const south = await pages.open("south", `/operations/jobs/${version}`);
  await south.page.getByText("Job not found.").waitFor();
  await south.close();
});

test("a rejected retry shows the reason beside the button; a failed list loads on retry", async () => {
  const failed = await ask(await tenant("git"), "rotate_token");
  await endJob(pages.database.db, failed, "failed", CAUSE);
  await pages.database.pool.query("update tenantry.instances set managed_by = 'git' where worker_name = $1", [
    `tenant-${(await pages.database.pool.query("select id from tenantry.clients where slug = 'git'")).rows[0]?.id}`,
  ]);
  const { page, context, close } = await pages.open("root", `/operations/jobs/${failed}`);
  await page.getByRole("button", { name: "Retry: Rotate token, git" }).click();
  await page.getByRole("alert").getByText("is declared in Git").waitFor();
  let isAway = true;
  await context.route(
    (url) => url.pathname === "/jobs",
    (route) =>
      isAway
        ? route.fulfill({ status: 403, json: { error: { code: "forbidden", message: "Not now." } } })
        : route.continue(),
  );
  await page.getByRole("link", { name: "Jobs", exact: true }).first().click();
  await page.getByRole("alert").getByText("Not now.").waitFor();
  isAway = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("table", { name: "Jobs" }).waitFor();
  await close();
});
