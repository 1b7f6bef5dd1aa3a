import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertInstance, insertPoolEntry } from "#database/testing/fixtures.ts";
import { endJob } from "#database/work/jobs.ts";
import { findAccessibilityFaults, type PagesUnderTest, startPages } from "#workers/dashboard/testing/start-pages.ts";

let pages: PagesUnderTest;
let from: string;
let acme: string;
beforeAll(async () => {
  pages = await startPages();
  const { db } = pages.database;
  const managed_by = "dashboard";
  from = await insertPoolEntry(db, { gateway_id: "shared-1", max_instances: 5, managed_by });
  await insertPoolEntry(db, { gateway_id: "shared-2", max_instances: 9, managed_by });
  await insertPoolEntry(db, { gateway_id: "closed", max_instances: 9, enabled: false, managed_by });
  await insertPoolEntry(db, { gateway_id: "full", max_instances: 0, managed_by });
  const gateway = { ai_gateway_id: "shared-1", ai_gateway_pool_id: from };
  acme = await insertClient(db, { slug: "acme", name: "Acme Corporation", managed_by });
  await insertInstance(db, acme, { ...gateway, managed_by, worker_name: "tenant-acme" });
  const owner = "urn:pulumi:prod::tenantry::tenantry:index:DatabaseRecord::hooli";
  await insertInstance(db, await insertClient(db, { slug: "hooli" }), {
    ...gateway,
    owner,
    worker_name: "tenant-hooli",
  });
  const far = await insertClient(db, { slug: "far", environment: "staging" });
  await insertInstance(db, far, { ...gateway, worker_name: "tenant-far-staging" });
});
afterAll(() => pages?.stop());

/** Ends the open move, as the automation service does. */
async function endMove(status: "succeeded" | "failed", cause: string | null = null): Promise<void> {
  const { db } = pages.database;
  const open = await db
    .selectFrom("tenantry.jobs")
    .select("id")
    .where("kind", "=", "assign_gateway")
    .where("ended_at", "is", null)
    .executeTakeFirstOrThrow();
  await endJob(db, open.id, status, cause);
  await pages.pushEvents();
}

test("a gateway lists its tenants and moves one to a gateway with capacity, with the progress of the move", async () => {
  const { page, complaints, close } = await pages.open("root", `/gateways/${from}`);
  await page.getByRole("meter", { name: "Instances" }).waitFor();
  const link = page.getByRole("link", { name: /Acme Corporation/ });
  await expect.poll(() => link.getAttribute("href")).toBe(`/clients/${acme}`);
  await page.getByText("1 more in other environments than production").waitFor();
  const ofGit = page.getByRole("row", { name: /hooli/ });
  await ofGit.getByText("Pulumi.prod.yaml").waitFor();
  expect(await ofGit.getByRole("button").count()).toBe(0);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByTitle("Updates appear as they happen").waitFor();

  await page.getByRole("button", { name: "Move acme" }).click();
  await page.getByText("AI gateway closed is disabled. Enable it or choose another.").waitFor();
  await page.getByText("AI gateway full holds 0 of 0 instances. Raise its capacity or choose another.").waitFor();
  await expect.poll(() => page.getByRole("radio", { name: /^(closed|full)/, disabled: true }).count()).toBe(2);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole("radio", { name: /shared-2/ }).check();
  await page.getByRole("button", { name: "Move tenant" }).click();
  await page.getByRole("link", { name: "Move queued" }).waitFor();
  // The state survives a reload.
  await page.reload();
  await page.getByRole("link", { name: "Move queued" }).waitFor();
  await page.getByTitle("Updates appear as they happen").waitFor();
  await endMove("failed", "The account has no such gateway.");
  const again = page.getByRole("button", { name: "Move acme" });
  await again.click();
  await page.getByRole("radio", { name: /shared-2/ }).check();
  await page.getByRole("button", { name: "Move tenant" }).click();
  await page.getByText("Moving acme to shared-2").waitFor();
  await endMove("failed", "The account has no such gateway.");
  await page.getByText("Failed to move acme to another AI gateway").first().waitFor();
  await page.getByText("The account has no such gateway.").first().waitFor();

  await again.click();
  await page.getByRole("radio", { name: /shared-2/ }).check();
  await page.getByRole("button", { name: "Move tenant" }).click();
  await page.getByRole("link", { name: "Move queued" }).waitFor();
  await pages.database.pool.query(
    `update tenantry.instances set ai_gateway_id = 'shared-2',
      ai_gateway_pool_id = (select id from tenantry.ai_gateways where gateway_id = 'shared-2') where client_id = $1`,
    [acme],
  );
  await endMove("succeeded");
  await page.getByText("acme moved to its new AI gateway").waitFor();
  await link.waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
  await close();
});

test("a rejected move shows the reason and keeps the selection; a missing gateway is not found", async () => {
  const { db } = pages.database;
  const client = await insertClient(db, { slug: "broken", managed_by: "dashboard" });
  const gateway = { ai_gateway_id: "shared-1", ai_gateway_pool_id: from, managed_by: "dashboard" };
  await insertInstance(db, client, { ...gateway, status: "error", worker_name: "tenant-broken" });
  const { page, close } = await pages.open("root", `/gateways/${from}`);
  await page.getByRole("button", { name: "Move broken" }).click();
  const choice = page.getByRole("radio", { name: /shared-2/ });
  await choice.check();
  await page.getByRole("button", { name: "Move tenant" }).click();
  await page.getByText("The instance of broken is in error. Provision it again with the other gateway.").waitFor();
  await expect.poll(() => choice.isChecked()).toBe(true);
  await page.keyboard.press("Escape");
  await expect
    .poll(() => page.getByRole("button", { name: "Move broken" }).evaluate((one) => one === document.activeElement), {
      timeout: 40_000,
    })
    .toBe(true);
  await page.goto(new URL("/gateways/00000000-0000-4000-8000-000000000000", pages.url).href);
  await page.getByText("AI gateway not found.").waitFor();
  await close();
});
