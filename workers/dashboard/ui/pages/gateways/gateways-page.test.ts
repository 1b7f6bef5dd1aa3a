import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertInstance, insertPoolEntry } from "#database/testing/fixtures.ts";
import { aiGatewayRoutes } from "#workers/contracts/api/tenants/ai-gateways.ts";
import { accessibilityFaults, type PagesUnderTest, startPages } from "#workers/dashboard/testing/start-pages.ts";

/** Bounds a wait; a busy machine may need much of it. */
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

/** One more tenant of the shared gateway. */
async function bind(slug: string): Promise<void> {
  const { db } = pages.database;
  const gateway = { ai_gateway_id: "shared-eu", ai_gateway_pool_id: shared };
  await insertInstance(db, await insertClient(db, { slug }), { ...gateway, worker_name: `tenant-${slug}` });
}
const entry = async (id: string) =>
  (await pages.database.pool.query("select * from tenantry.ai_gateways where gateway_id = $1", [id])).rows[0];

test("the pool shows how full each gateway is, and what Git declares is told and not changed", async () => {
  const { page, complaints, close } = await pages.open("root", "/gateways");
  const row = page.getByRole("row", { name: /shared-eu/ });
  await row.getByRole("meter", { name: "Instances that bind shared-eu" }).waitFor();
  expect(await row.getByRole("meter").getAttribute("aria-valuetext")).toBe("1 of 5");
  await page.getByText("12 more tenants in production find a place.").waitFor();
  const ofGit = page.getByRole("row", { name: /of-git/ });
  expect(await ofGit.getByTitle(/change Pulumi\.prod\.yaml/).textContent()).toBe("Git");
  expect([await ofGit.getByRole("switch").count(), await ofGit.getByRole("button").count()]).toEqual([0, 0]);
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

test("a gateway is closed at once and opened again by undo; what is refused is shown as it was", async () => {
  const { page, close } = await pages.open("root", "/gateways");
  const open = page.getByRole("switch", { name: "shared-eu is open to new tenants" });
  await open.click();
  await page.getByText("No new tenant binds shared-eu").waitFor();
  expect((await entry("shared-eu")).enabled).toBe(false);
  const isOpenAgain = page.waitForResponse(async (response) => {
    if (!response.url().includes("/api/ai-gateways?")) return false;
    const { data } = aiGatewayRoutes.listAiGateways.answer.parse(await response.json());
    return data.some(({ gateway_id, enabled }) => gateway_id === "shared-eu" && enabled);
  });
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("New tenants may bind shared-eu").waitFor();
  await isOpenAgain;
  expect([await open.isChecked(), (await entry("shared-eu")).enabled]).toEqual([true, true]);
  // Somebody else comes before.
  await pages.database.pool.query("update tenantry.ai_gateways set max_instances = 6 where id = $1", [shared]);
  await open.click();
  await page.getByText("shared-eu is as it was").first().waitFor();
  await expect.poll(() => open.isChecked(), SOON).toBe(true);
  await page.getByText("1 / 6").waitFor();
  await close();
});

test("a capacity below what is bound is refused before it is sent, and by the server when more bind meanwhile", async () => {
  const { page, complaints, close } = await pages.open("root", "/gateways");
  await page.getByRole("button", { name: "What to do with shared-eu" }).click();
  await page.getByRole("menuitem", { name: "Change capacity…" }).click();
  const most = page.getByLabel("Most instances");
  await expect.poll(() => most.evaluate((one) => one === document.activeElement), SOON).toBe(true);
  const save = page.getByRole("button", { name: "Save" });
  await most.fill("0");
  await page.getByText("is below the 1 that bind it now").waitFor();
  expect(await save.isDisabled()).toBe(true);
  await most.fill("many");
  await page.getByText("is no number of instances").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await bind("hooli");
  await most.fill("1");
  await save.click();
  await page.getByText(/shared-eu is in use by 2 instances/i).waitFor();
  // What is typed stays over a reload.
  await page.reload();
  await page.getByRole("button", { name: "What to do with shared-eu" }).click();
  await page.getByRole("menuitem", { name: "Change capacity…" }).click();
  expect(await most.inputValue()).toBe("1");
  await most.fill("3");
  await save.click();
  await page.getByText("shared-eu takes up to 3 instances").waitFor();
  await page.getByText("2 / 3").waitFor();
  expect((await entry("shared-eu")).max_instances).toBe(3);
  expect(complaints.filter((text) => !text.includes("409"))).toEqual([]);
  await close();
});

test("a gateway is added, taken out, and back in by undo", async () => {
  const { page, complaints, close } = await pages.open("root", "/gateways");
  await page.getByRole("button", { name: "Add a gateway" }).click();
  await page.getByLabel("Gateway's id at Cloudflare").fill("Odd Name");
  await page.getByLabel("Most instances").fill("7");
  const add = page.getByRole("button", { name: "Add", exact: true });
  await add.click();
  await page.getByText("must have at most 64 lower-case letters").waitFor();
  await page.getByLabel("Gateway's id at Cloudflare").fill("brand-new");
  await add.click();
  await page.getByRole("heading", { level: 1, name: "brand-new" }).waitFor();
  expect(await entry("brand-new")).toMatchObject({ max_instances: 7, enabled: true, environment: null });
  await page.getByRole("button", { name: "What to do with brand-new" }).click();
  await page.getByRole("menuitem", { name: /Take out of the pool/ }).click();
  await page.getByRole("button", { name: "Take out", exact: true }).click();
  await page.getByText("brand-new is out of the pool").waitFor();
  await page.getByRole("row", { name: /shared-eu/ }).waitFor();
  await page.getByRole("row", { name: /brand-new/ }).waitFor({ state: "detached" });
  expect(await entry("brand-new")).toBeUndefined();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("brand-new is in the pool again").waitFor();
  expect(await entry("brand-new")).toMatchObject({ max_instances: 7 });
  expect(complaints.filter((text) => !text.includes("400"))).toEqual([]);
  await close();
});

test("a pool that cannot be read says so, and is read when asked again; nothing of it is asked for partner roots", async () => {
  const { page, close } = await pages.open("root", "/partners");
  await page.route("**/api/ai-gateways?*", (route) =>
    route.fulfill({ status: 403, json: { error: { code: "forbidden", message: "Ask someone." } } }),
  );
  await page.getByRole("link", { name: "AI gateways" }).click();
  await page.getByText("Ask someone.").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.unroute("**/api/ai-gateways?*");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("row", { name: /shared-eu/ }).waitFor();
  await close();

  const north = await pages.open("north", "/");
  await north.page.getByRole("navigation", { name: "Pages" }).waitFor();
  expect(await north.page.getByRole("link", { name: "AI gateways" }).count()).toBe(0);
  const asked: string[] = [];
  north.page.on("request", (request) => void asked.push(new URL(request.url()).pathname));
  for (const path of ["/gateways", `/gateways/${shared}`]) {
    await north.page.goto(new URL(path, pages.url).href);
    await north.page.getByText("This is for platform roots alone").waitFor();
    expect(await north.page.getByRole("button", { name: "Add a gateway" }).count()).toBe(0);
  }
  expect(asked.filter((path) => path.startsWith("/api/ai-gateways"))).toEqual([]);
  await north.close();
});
