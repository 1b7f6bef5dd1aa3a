import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertInstance, insertPoolEntry } from "#database/testing/fixtures.ts";
import { aiGatewayRoutes } from "#workers/contracts/api/tenants/ai-gateways.ts";
import { findAccessibilityFaults, type PagesUnderTest, startPages } from "#workers/dashboard/testing/start-pages.ts";

/** Enough for a busy machine. */
const SOON = { timeout: 40_000 };
const OWNER = "urn:pulumi:prod::tenantry::tenantry:index:DatabaseRecord::of-git";

let pages: PagesUnderTest;
let shared: string;
beforeAll(async () => {
  pages = await startPages();
  const { db } = pages.database;
  shared = await insertPoolEntry(db, { gateway_id: "shared-eu", max_instances: 5, managed_by: "dashboard" });
  await insertPoolEntry(db, { gateway_id: "of-git", max_instances: 8, owner: OWNER });
  await bind("acme");
});
afterAll(() => pages?.stop());

/** Adds a tenant of the shared gateway. */
async function bind(slug: string): Promise<void> {
  const { db } = pages.database;
  const gateway = { ai_gateway_id: "shared-eu", ai_gateway_pool_id: shared };
  await insertInstance(db, await insertClient(db, { slug }), { ...gateway, worker_name: `tenant-${slug}` });
}
const entry = async (id: string) =>
  (await pages.database.pool.query("select * from tenantry.ai_gateways where gateway_id = $1", [id])).rows[0];

test("the pool shows the usage of each gateway, and entries managed in Git are read-only", async () => {
  const { page, complaints, close } = await pages.open("root", "/gateways");
  const row = page.getByRole("row", { name: /shared-eu/ });
  await row.getByRole("meter", { name: "Instances of shared-eu" }).waitFor();
  await expect.poll(() => row.getByRole("meter").getAttribute("aria-valuetext")).toBe("1 of 5");
  await page.getByText("12 free slots for tenants in production.").waitFor();
  const ofGit = page.getByRole("row", { name: /of-git/ });
  await expect.poll(() => ofGit.getByTitle(/change Pulumi\.prod\.yaml/).textContent()).toBe("Git");
  expect([await ofGit.getByRole("switch").count(), await ofGit.getByRole("button").count()]).toEqual([0, 0]);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

test("a gateway closes at once and opens again by undo; a rejected change is reverted", async () => {
  const { page, close } = await pages.open("root", "/gateways");
  const open = page.getByRole("switch", { name: "Open shared-eu to new tenants" });
  await open.click();
  await page.getByText("shared-eu closed to new tenants").waitFor();
  expect((await entry("shared-eu")).enabled).toBe(false);
  const isOpenAgain = page.waitForResponse(async (response) => {
    if (!response.url().includes("/api/ai-gateways?")) return false;
    const { data } = aiGatewayRoutes.listAiGateways.answer.parse(await response.json());
    return data.some(({ gateway_id, enabled }) => gateway_id === "shared-eu" && enabled);
  });
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("shared-eu opened to new tenants").waitFor();
  await isOpenAgain;
  expect([await open.isChecked(), (await entry("shared-eu")).enabled]).toEqual([true, true]);
  // A conflicting change by another user.
  await pages.database.pool.query("update tenantry.ai_gateways set max_instances = 6 where id = $1", [shared]);
  await open.click();
  await page.getByText("shared-eu was not changed").first().waitFor();
  await expect.poll(() => open.isChecked(), SOON).toBe(true);
  await page.getByText("1 / 6").waitFor();
  await close();
});

test("a capacity below the usage is rejected by the form, and by the server when the usage has grown", async () => {
  const { page, complaints, close } = await pages.open("root", "/gateways");
  await page.getByRole("button", { name: "Actions for shared-eu" }).click();
  await page.getByRole("menuitem", { name: "Edit capacity…" }).click();
  const most = page.getByLabel("Maximum instances");
  await expect.poll(() => most.evaluate((one) => one === document.activeElement), SOON).toBe(true);
  const save = page.getByRole("button", { name: "Save" });
  await most.fill("0");
  await page.getByText("1 instances use the gateway. Enter at least 1").waitFor();
  await expect.poll(() => save.isDisabled()).toBe(true);
  await most.fill("many");
  await page.getByText("Enter a whole number.").waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await bind("hooli");
  await most.fill("1");
  await save.click();
  await page.getByText(/shared-eu is in use by 2 instances/i).waitFor();
  // Entries survive a reload.
  await page.reload();
  await page.getByRole("button", { name: "Actions for shared-eu" }).click();
  await page.getByRole("menuitem", { name: "Edit capacity…" }).click();
  await expect.poll(() => most.inputValue()).toBe("1");
  await most.fill("3");
  await save.click();
  await page.getByText("Capacity of shared-eu set to 3").waitFor();
  await page.getByText("2 / 3").waitFor();
  expect((await entry("shared-eu")).max_instances).toBe(3);
  expect(complaints.filter((text) => !text.includes("409"))).toEqual([]);
  await close();
});

test("a gateway can be added, removed, and added again by undo", async () => {
  const { page, complaints, close } = await pages.open("root", "/gateways");
  await page.getByRole("button", { name: "Add gateway" }).click();
  await page.getByLabel("Cloudflare gateway ID").fill("Odd Name");
  await page.getByLabel("Maximum instances").fill("7");
  const add = page.getByRole("button", { name: "Add gateway" });
  await add.click();
  await page.getByText("must have at most 64 lower-case letters").waitFor();
  await page.getByLabel("Cloudflare gateway ID").fill("brand-new");
  await add.click();
  await page.getByRole("heading", { level: 1, name: "brand-new" }).waitFor();
  expect(await entry("brand-new")).toMatchObject({ max_instances: 7, enabled: true, environment: null });
  await page.getByRole("button", { name: "Actions for brand-new" }).click();
  await page.getByRole("menuitem", { name: /Remove from pool/ }).click();
  await page.getByRole("button", { name: "Remove gateway" }).click();
  await page.getByText("brand-new removed from the pool").waitFor();
  await page.getByRole("row", { name: /shared-eu/ }).waitFor();
  await page.getByRole("row", { name: /brand-new/ }).waitFor({ state: "detached" });
  expect(await entry("brand-new")).toBeUndefined();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("brand-new added to the pool again").waitFor();
  expect(await entry("brand-new")).toMatchObject({ max_instances: 7 });
  expect(complaints.filter((text) => !text.includes("400"))).toEqual([]);
  await close();
});

test("a failed pool loads on retry; partner roots send no request for it", async () => {
  const { page, close } = await pages.open("root", "/partners");
  await page.route("**/api/ai-gateways?*", (route) =>
    route.fulfill({ status: 403, json: { error: { code: "forbidden", message: "Ask someone." } } }),
  );
  await page.getByRole("link", { name: "AI gateways" }).click();
  await page.getByText("Ask someone.").waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.unroute("**/api/ai-gateways?*");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("row", { name: /shared-eu/ }).waitFor();
  await close();

  const north = await pages.open("north", "/");
  await north.page.getByRole("navigation", { name: "Main" }).waitFor();
  expect(await north.page.getByRole("link", { name: "AI gateways" }).count()).toBe(0);
  const asked: string[] = [];
  north.page.on("request", (request) => void asked.push(new URL(request.url()).pathname));
  for (const path of ["/gateways", `/gateways/${shared}`]) {
    await north.page.goto(new URL(path, pages.url).href);
    await north.page.getByText("Requires the platform root role").waitFor();
    expect(await north.page.getByRole("button", { name: "Add gateway" }).count()).toBe(0);
  }
  expect(asked.filter((path) => path.startsWith("/api/ai-gateways"))).toEqual([]);
  await north.close();
});
