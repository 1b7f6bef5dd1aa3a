/** A partner's egress policy on its page. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { egressRoutes } from "#workers/contracts/api/tenants/egress.ts";
import { findAccessibilityFaults, type PagesUnderTest, startPages } from "#workers/dashboard/testing/start-pages.ts";

let pages: PagesUnderTest;
let north: string;
beforeAll(async () => {
  pages = await startPages();
  north = pages.partners.north;
});
afterAll(() => pages?.stop());

const manage = (by: string) =>
  pages.database.pool.query("update tenantry.partners set managed_by = $1 where id = $2", [by, north]);
const params = () => ({ partner_id: north });
const stored = async () =>
  (await pages.call(egressRoutes.getPartnerEgress, { as: "north", params: params() })).body.policy;

test("a partner root states a policy for its tenants, and does not overwrite another's", async () => {
  await manage("dashboard");
  const { page, complaints, close } = await pages.open("north", `/partners/${north}`);
  await page.getByLabel("Mode").selectOption({ label: "Allowlist: listed hosts only" });
  const hosts = page.getByLabel("Hosts", { exact: true }).and(page.locator("textarea"));
  await hosts.fill("api.example.com\n*");
  const save = page.getByRole("button", { name: "Save policy" });
  await save.click();
  await page.getByText("Entry 2: * matches hosts of many owners", { exact: false }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await hosts.fill("api.example.com 443 GET");
  const body = { policy: { mode: "audit" as const, entries: [] } };
  await pages.call(egressRoutes.putPartnerEgress, { as: "root", params: params(), body });
  await save.click();
  await page.getByText(/^root@\S+ changed the network access at/).waitFor();
  expect(await stored()).toEqual(body.policy);
  await page.getByRole("button", { name: "Reload" }).click();
  await page.getByText(/^root@\S+ changed the network access at/).waitFor({ state: "detached" });
  await save.click();
  await page.getByText("Policy saved").waitFor();
  expect(await stored()).toEqual({
    mode: "allowlist",
    entries: [{ host: "api.example.com", ports: [443], methods: ["GET"] }],
  });
  expect(complaints.filter((complaint) => !/40[09]|412/.test(complaint))).toEqual([]);
  await close();
});

test("the policy of a partner that a stack file declares is shown, not changed", async () => {
  await manage("git");
  const { page, close } = await pages.open("root", `/partners/${north}`, { viewport: { width: 390, height: 844 } });
  await page.getByText("The stack file states: Allowlist with 1 entries", { exact: false }).waitFor();
  expect(await page.getByRole("button", { name: "Save policy" }).count()).toBe(0);
  await close();
});
