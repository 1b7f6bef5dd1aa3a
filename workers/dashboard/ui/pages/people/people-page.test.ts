import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { findAccessibilityFaults, type PagesUnderTest, startPages } from "#workers/dashboard/testing/start-pages.ts";

let pages: PagesUnderTest;
beforeAll(async () => {
  pages = await startPages();
  const { db } = pages.database;
  for (const [slug, partner_id] of [
    ["acme", pages.partners.north],
    ["hooli", pages.partners.south],
  ] as const) {
    const client = await insertClient(db, { slug, name: slug === "acme" ? "Acme" : "Hooli", partner_id });
    const instance = await insertInstance(db, client);
    const user = { client_id: client, email: `ada@${slug}.example`, name: "Ada", status: "validated" };
    await insertClientUser(db, user, [instance]);
  }
});
afterAll(() => pages?.stop());

test("a platform root finds all users, adds and removes a partner root, and the address contains the search", async () => {
  const { page, complaints, close } = await pages.open("root", "/people");
  for (const email of ["ada@acme.example", "ada@hooli.example", "root@south.test"]) {
    await page.getByRole("button", { name: email, exact: false }).first().waitFor();
  }
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Add user" }).click();
  const dialog = page.getByRole("dialog", { name: "Add user" });
  await dialog.getByLabel("Email address").fill("second@south.test");
  await dialog.getByLabel("Role").selectOption("PARTNER_ROOT");
  const add = dialog.getByRole("button", { name: "Add" });
  await expect.poll(() => add.isDisabled()).toBe(true);
  await dialog.getByLabel("Partner").selectOption({ label: "south" });
  await add.click();
  await page.getByText("second@south.test added").waitFor();
  await page.getByRole("searchbox").fill("second");
  await page.getByRole("button", { name: /root@south/ }).waitFor({ state: "detached" });
  await page.reload();
  const row = page.getByRole("row").filter({ hasText: "second@south.test" });
  await row.getByText("Partner root").waitFor();
  await expect.poll(() => page.getByRole("row").count()).toBe(2);
  await row.getByRole("button", { name: "Actions for second@south.test" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  const confirm = page.getByRole("dialog", { name: "Remove second@south.test?" });
  await confirm.getByRole("textbox").fill("second@south.test");
  await confirm.getByRole("button", { name: "Remove" }).click();
  await page.getByText("No matches").waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test("viewers cannot remove themselves", async () => {
  const { page, close } = await pages.open("root", "/people?search=platform");
  await page.getByRole("button", { name: "Actions for Rita" }).click();
  await page.getByRole("menuitem", { name: "Show details" }).waitFor();
  expect(await page.getByRole("menuitem", { name: "Remove" }).count()).toBe(0);
  await close();
});

test("a partner root adds a user and links them to a client, and does not see other partners", async () => {
  const { page, complaints, close } = await pages.open("north", "/people");
  await page.getByRole("button", { name: /ada@acme/ }).waitFor();
  expect(await page.getByRole("button", { name: /hooli|south/ }).count()).toBe(0);
  await page.getByRole("button", { name: "Add user" }).click();
  const dialog = page.getByRole("dialog", { name: "Add user" });
  await dialog.getByLabel("Email address").fill("bob@acme.example");
  await dialog.getByLabel("Name").fill("Bob");
  expect(await dialog.getByRole("option", { name: /root/ }).count()).toBe(0);
  await dialog.getByRole("button", { name: "Add" }).click();
  await page.getByText("Next, link the user to a client.").waitFor();
  await page.getByRole("button", { name: "Actions for Bob" }).click();
  await page.getByRole("menuitem", { name: "Link to client" }).click();
  const link = page.getByRole("dialog", { name: "Link Bob to a client" });
  await link.getByRole("combobox", { name: "Client" }).fill("hoo");
  await page.getByText("No matching clients").waitFor();
  await link.getByRole("combobox", { name: "Client" }).fill("ac");
  await page.getByRole("option", { name: /Acme/ }).click();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await link.getByRole("button", { name: "Link" }).click();
  await page.getByText("bob@acme.example linked to Acme").waitFor();
  await page.getByRole("button", { name: /^Bob/ }).click();
  const drawer = page.getByRole("dialog", { name: "Bob" });
  await drawer.getByText("accepted", { exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get("user")).not.toBeNull();
  await drawer.getByRole("link", { name: "acme" }).click();
  await page.getByRole("heading", { name: "Acme", level: 1 }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test("a new user appears for other viewers; a failed list loads on retry", async () => {
  const { page, close } = await pages.open("root", "/people?kind=dashboard");
  await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
  const body = { email: "third@platform.test", name: "Third", role: "ROOT" };
  await pages.fetchAs("root", "POST", "/user", body);
  await pages.pushEvents();
  await page.getByRole("button", { name: /third@platform/ }).waitFor();
  let failures = 1;
  const error = { code: "forbidden", message: "Permission denied." };
  await page.route("**/user?*", (route) =>
    failures-- > 0 ? route.fulfill({ status: 403, json: { error } }) : route.continue(),
  );
  await page.getByLabel("Kind").selectOption("person");
  await page.getByText("Permission denied.").waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("button", { name: /ada@acme/ }).waitFor();
  await close();
});
