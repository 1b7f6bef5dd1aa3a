/** The provider keys of a client, on its usage tab. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type InstancePages, isExpected, startInstancePages } from "#workers/dashboard/testing/start-instance-pages.ts";
import { findAccessibilityFaults } from "#workers/dashboard/testing/start-pages.ts";
import { startVendorApis, type VendorApis } from "#workers/dashboard/testing/vendor-apis.ts";

const KEY = "sk-proj-Zq81LmX0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123";

let pages: InstancePages;
let providers: VendorApis;
beforeAll(async () => {
  providers = await startVendorApis();
  pages = await startInstancePages({ PROVIDER_APIS: JSON.stringify({ openai: providers.url }) });
});
afterAll(async () => {
  await pages?.stop();
  await providers?.stop();
});

test("a key is checked and stored, its fault is shown in the provider's words, and it is deleted", async () => {
  const { client } = await pages.made("acme");
  const { page, complaints, close } = await pages.open("north", `/clients/${client}/usage`);
  await page.getByText("No provider keys").waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Store key" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Store provider key" });
  const store = dialog.getByRole("button", { name: "Store key" });
  await dialog.getByLabel("Key").fill("short");
  await store.click();
  await dialog.getByText("The key must be a key as the provider shows it", { exact: false }).waitFor();
  await dialog.getByLabel("Key").fill(KEY);
  providers.next.push({ status: 401, body: { error: { message: `Incorrect API key provided: ${KEY}` } } });
  await store.click();
  await dialog.getByText("OpenAI rejects the key: Incorrect API key provided: ***", { exact: false }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  providers.next.push({ status: 200, body: { data: [] } });
  await store.click();
  const table = page.getByRole("table", { name: "Provider keys" });
  await table.getByText("sending").waitFor();
  await table.getByText("…0123").waitFor();
  expect(await page.content()).not.toContain(KEY);

  await pages.database.pool.query(
    "update tenantry.provider_keys set fault = 'quota_exceeded', last_error = 'You exceeded your current quota.', last_error_at = now()",
  );
  await page.reload();
  await table.getByText("no quota").waitFor();
  await table.getByText("You exceeded your current quota.").waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);

  await page.getByRole("button", { name: "Actions for OpenAI" }).click();
  await page.getByRole("menuitem", { name: "Delete key" }).click();
  await page
    .getByRole("dialog", { name: "Delete key for OpenAI?" })
    .getByRole("button", { name: "Delete key" })
    .click();
  await page.getByText("No provider keys").waitFor();
  expect(complaints.filter((complaint) => !isExpected(complaint) && !complaint.includes("400"))).toEqual([]);
  await close();
});
