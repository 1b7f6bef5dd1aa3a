/** What a client's container may reach, on its network tab. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { recorded } from "#domain/egress/testing/policies.ts";
import { EGRESS_PATH, type EgressReport } from "#workers/contracts/tenant/egress.ts";
import { type InstancePages, isExpected, startInstancePages } from "#workers/dashboard/testing/start-instance-pages.ts";
import { findAccessibilityFaults } from "#workers/dashboard/testing/start-pages.ts";

const VALUE = "ghp_Zq81LmX0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123";

let pages: InstancePages;
beforeAll(async () => {
  pages = await startInstancePages();
});
afterAll(() => pages?.stop());

test("an allowlist is created from recorded hosts, previewed and saved, and secrets are stored without being shown", async () => {
  const { client, instance } = await pages.made("acme");
  const hosts = [recorded("api.example.com", { requests: 7, program: "curl" }), recorded("pypi.org", { requests: 3 })];
  const body: EgressReport = { revision: null, mode: "audit", restartRequired: true, gaps: [], hosts };
  pages.tenants.answers.set(EGRESS_PATH, { body });
  const { page, complaints, close } = await pages.open("north", `/clients/${client}/network`);
  await page.getByRole("table", { name: "Reached hosts" }).getByText("pypi.org").waitFor();
  await page.getByText("Restart required").waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);

  await page.getByRole("button", { name: "Create allowlist from these hosts" }).click();
  const entries = page.getByLabel("Hosts", { exact: true });
  await expect.poll(() => entries.inputValue()).toBe("api.example.com\npypi.org");
  await entries.fill("api.example.com 443 GET\n*");
  await page.getByRole("button", { name: "Save policy" }).click();
  await page.getByText("Entry 2: * matches hosts of many owners", { exact: false }).waitFor();
  await entries.fill("api.example.com 443 GET");
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByText("pypi.org:443, 3 requests", { exact: false }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  const stored = "select egress from tenantry.instances where id = $1";
  expect((await pages.database.pool.query(stored, [instance])).rows).toEqual([{ egress: null }]);
  await page.getByRole("button", { name: "Save policy" }).click();
  await page.getByText("allowlist with 1 entries").waitFor();
  expect((await pages.database.pool.query(stored, [instance])).rows).toEqual([
    { egress: { mode: "allowlist", entries: [{ host: "api.example.com", ports: [443], methods: ["GET"] }] } },
  ]);

  await page.getByRole("button", { name: "Store secret" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Store secret of a host" });
  await dialog.getByLabel("Name").fill("GitHub");
  await dialog.getByLabel("Host").fill("api.github.com");
  await dialog.getByLabel("Value").fill(VALUE);
  await dialog.getByRole("button", { name: "Store secret" }).click();
  await page.getByRole("table", { name: "Secrets of hosts" }).getByText("api.github.com").waitFor();
  expect(await page.content()).not.toContain(VALUE);
  await page.getByRole("button", { name: "Actions for GitHub" }).click();
  await page.getByRole("menuitem", { name: "Delete secret" }).click();
  await page
    .getByRole("dialog", { name: "Delete secret GitHub?" })
    .getByRole("button", { name: "Delete secret" })
    .click();
  await page.getByText("No secrets").waitFor();
  expect(complaints.filter((complaint) => !isExpected(complaint) && !complaint.includes("400"))).toEqual([]);
  await close();
});

test("the policy of a tenant that a stack file declares is shown, not changed", async () => {
  const { client } = await pages.made("globex", { managed_by: "git" });
  const { page, close } = await pages.open("root", `/clients/${client}/network`);
  await page.getByRole("heading", { name: "Egress policy" }).waitFor();
  await page.getByText("In force").waitFor();
  expect(await page.getByRole("button", { name: "Save policy" }).count()).toBe(0);
  await close();
});
