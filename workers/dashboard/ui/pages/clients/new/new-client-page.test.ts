import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertPoolEntry } from "#database/testing/fixtures.ts";
import { findAccessibilityFaults, type PagesUnderTest, startPages } from "#workers/dashboard/testing/start-pages.ts";

let pages: PagesUnderTest;
beforeAll(async () => {
  pages = await startPages({ AI_GATEWAY_CREATE_DEDICATED: "false" });
  await insertClient(pages.database.db, { slug: "taken", partner_id: pages.partners.south });
});
afterAll(() => pages?.stop());

const instanceOf = async (slug: string) => {
  const { rows } = await pages.database.pool.query(
    `select c.id, c.name, c.billing_plan, i.ai_gateway_id from tenantry.clients c
     left join tenantry.instances i on i.client_id = c.id where c.slug = $1`,
    [slug],
  );
  return rows[0];
};

test("the form reports missing gateway capacity with a remedy, and still creates a client without an instance", async () => {
  const { page, complaints, close } = await pages.open("north", "/clients/new");
  const slug = page.getByLabel("Slug");
  await slug.fill("Bad slug");
  await page.getByText(/It is not a DNS label/).waitFor();
  await slug.fill("taken");
  await page.getByText("It belongs to another client; choose another slug.").waitFor();
  const create = page.getByRole("button", { name: "Create client" });
  await expect.poll(() => create.isDisabled()).toBe(true);
  await slug.fill("bare");
  await page.getByText("bare.example.test").waitFor();
  await page.getByText(/No AI gateway of the pool has room\. Raise a capacity.*Ask a platform root/).waitFor();
  await expect.poll(() => create.isDisabled()).toBe(true);
  expect(await page.getByLabel("Partner").count()).toBe(0);
  await page.getByLabel(/Provision the instance now/).uncheck();
  await create.click();
  await page.getByRole("heading", { name: "bare", level: 1 }).waitFor();
  const made = await instanceOf("bare");
  expect([made.billing_plan, made.ai_gateway_id, new URL(page.url()).pathname]).toEqual([
    "basic",
    null,
    `/clients/${made.id}`,
  ]);
  expect(complaints).toEqual([]);
  await close();
});

test("the client matches the preview, its instance page follows, and entries survive a reload", async () => {
  await insertPoolEntry(pages.database.db, { gateway_id: "shared-1", max_instances: 1 });
  const { page, complaints, close } = await pages.open("root", "/clients/new");
  await page.getByLabel("Slug").fill("globex");
  await page.getByLabel("Name").fill("Globex");
  await page.getByLabel("Plan").selectOption("pro");
  await page.getByLabel("Partner").selectOption({ label: "north" });
  for (const reported of ["globex.example.test", "standard-2", "shared-1", "$99.00 per month"]) {
    await page.getByText(reported).waitFor();
  }
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.reload();
  await page.getByText("globex.example.test").waitFor();
  await expect.poll(() => page.getByLabel("Name").inputValue()).toBe("Globex");
  await page.getByRole("button", { name: "Create client" }).click();
  await page.waitForURL(/\/clients\/[^/]+\/instance$/);
  const made = await instanceOf("globex");
  expect(made).toMatchObject({ name: "Globex", billing_plan: "pro", ai_gateway_id: "shared-1" });
  expect(new URL(page.url()).pathname).toBe(`/clients/${made.id}/instance`);
  await page.goto(new URL("/clients/new", pages.url).href);
  await expect.poll(() => page.getByLabel("Slug").inputValue()).toBe("");
  expect(complaints).toEqual([]);
  await close();
});

test("a retry after a rejected instance does not create the client again", async () => {
  await insertPoolEntry(pages.database.db, { gateway_id: "shared-2", max_instances: 1 });
  const { page, close } = await pages.open("root", "/clients/new");
  await page.getByLabel("Slug").fill("halfway");
  await page.getByText("shared-2").waitFor();
  let refusals = 1;
  await page.route("**/client/instance/create", (route) => {
    const error = { code: "tenant_unavailable", message: "The database does not answer just now; try again." };
    return refusals-- > 0 ? route.fulfill({ status: 503, json: { error } }) : route.continue();
  });
  await page.getByRole("button", { name: "Create client" }).click();
  await page.getByText("Client halfway created. Failed to provision its instance:").waitFor();
  await page.getByText("The database does not answer just now; try again.").waitFor();
  await page.getByRole("button", { name: "Retry provisioning" }).click();
  await page.waitForURL(/\/instance$/);
  expect((await instanceOf("halfway")).ai_gateway_id).toBe("shared-2");
  await close();
});
