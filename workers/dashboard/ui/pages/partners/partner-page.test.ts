import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient } from "#database/testing/fixtures.ts";
import { partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { findAccessibilityFaults, type PagesUnderTest, startPages } from "#workers/dashboard/testing/start-pages.ts";

/** Enough for a busy machine. */
const SOON = { timeout: 40_000 };
/** A complete image of 1 × 1 pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

let pages: PagesUnderTest;
let north: string;
beforeAll(async () => {
  pages = await startPages();
  north = pages.partners.north;
});
afterAll(() => pages?.stop());

const create = async (slug: string) =>
  (await pages.call(partnerRoutes.createPartner, { as: "root", body: { slug, name: `${slug} AG` } })).body.id;
const style = async (partner_id: string) =>
  (await pages.call(partnerRoutes.getPartnerStyle, { as: "root", params: { partner_id } })).body;
const preview = (page: Page, title: RegExp) => page.frameLocator(`iframe[title="${title.source}"]`);

test("a partner root edits its branding with a live preview, and entries survive a reload", async () => {
  const { page, complaints, close } = await pages.open("north", `/partners/${north}`);
  const shown = preview(page, /Invitation page, with sample data/);
  await shown.getByText("north invites you to use the agent of Sample client").waitFor();
  await shown.getByText("Sample data").waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByLabel("Display name").fill("Nordlicht");
  await shown.getByText("Nordlicht invites you").waitFor();
  await page.getByLabel("Custom colours").check();
  await page.getByRole("textbox", { name: "Text", exact: true }).fill("#999999");
  await page.getByText("has a contrast of 2.61 to the background; choose colours with at least 4.5").waitFor();
  const save = page.getByRole("button", { name: "Save branding" });
  await expect.poll(() => save.isDisabled()).toBe(true);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole("textbox", { name: "Text", exact: true }).fill("#10301f");
  await page.getByRole("textbox", { name: "Accent", exact: true }).fill("0b6b3a");
  await expect
    .poll(
      () => shown.getByRole("button", { name: "Accept" }).evaluate((one) => getComputedStyle(one).backgroundColor),
      SOON,
    )
    .toBe("rgb(11, 107, 58)");
  await page.reload();
  await expect.poll(() => page.getByLabel("Display name").inputValue()).toBe("Nordlicht");
  await page.getByRole("link", { name: "Mail" }).click();
  expect(new URL(page.url()).searchParams.get("preview")).toBe("mail");
  await preview(page, /Mail, with sample data/)
    .getByText("Nordlicht invites you")
    .waitFor();
  expect((await style(north)).display_name).toBe("north");
  await save.click();
  await page.getByText("Branding saved").waitFor();
  const colours = { text: "#10301f", background: "#f4f5f7", accent: "#0b6b3a" };
  expect(await style(north)).toMatchObject({ display_name: "Nordlicht", colours });
  await page.reload();
  await expect.poll(() => page.getByRole("textbox", { name: "Accent", exact: true }).inputValue()).toBe("#0b6b3a");
  await page.getByRole("button", { name: "Reset to default" }).click();
  await save.click();
  await expect.poll(() => style(north), SOON).toMatchObject({ display_name: "north", colours: null });
  expect(complaints).toEqual([]);
  await close();
});

test("the mail preview fits a phone, and the current view is marked", async () => {
  const options = { viewport: { width: 390, height: 844 } };
  const { page, close } = await pages.open("north", `/partners/${north}?preview=mail`, options);
  const mail = preview(page, /Mail, with sample data/).locator("html");
  await mail.getByText("Accept or reject the invitation").waitFor();
  expect(await mail.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  const views = page.getByRole("navigation", { name: "View" });
  await expect.poll(() => views.locator("[aria-current]").allTextContents()).toEqual(["Mail"]);
  await views.getByRole("link", { name: "Invitation page" }).click();
  await preview(page, /Invitation page, with sample data/)
    .getByText("Sample data")
    .waitFor();
  await expect.poll(() => views.locator("[aria-current]").allTextContents()).toEqual(["Invitation page"]);
  await close();
});

test("a conflicting branding is not overwritten without a confirmation", async () => {
  const id = await create("contended");
  const { page, close } = await pages.open("root", `/partners/${id}`);
  await page.getByLabel("Display name").fill("Mine");
  const body = { display_name: "Theirs" };
  await pages.call(partnerRoutes.putPartnerStyle, { as: "root", params: { partner_id: id }, body });
  await page.getByRole("button", { name: "Save branding" }).click();
  await page.getByText(/^root@\S+ changed .+ at/).waitFor();
  await page.getByRole("button", { name: "Reload" }).click();
  await page.getByText("Your entries are kept but not saved yet.").waitFor();
  expect((await style(id)).display_name).toBe("Theirs");
  await page.getByRole("button", { name: "Keep my changes" }).click();
  await page.getByRole("button", { name: "Save branding" }).click();
  await page.getByText("Branding saved").waitFor();
  expect((await style(id)).display_name).toBe("Mine");
  await close();
});

test("an edited partner does not undo concurrent changes of other users", async () => {
  const id = await create("renamed");
  const params = { id };
  const { page, close } = await pages.open("root", `/partners/${id}`);
  const dialog = page.getByRole("dialog", { name: /^Edit/ });
  const save = dialog.getByRole("button", { name: "Save" });
  const overtaken = dialog.getByText(/^root@\S+ changed .+ at/);
  const reload = async () => {
    await dialog.getByRole("button", { name: "Reload" }).click();
    await overtaken.waitFor({ state: "detached" });
  };
  await page.getByRole("button", { name: "Edit" }).click();
  await dialog.getByLabel("Name", { exact: true }).fill("Mine");
  await pages.call(partnerRoutes.updatePartner, { as: "root", params, body: { slug: "moved" } });
  await page.reload();
  await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
  await page.getByRole("button", { name: "Edit" }).click();
  await expect.poll(() => dialog.getByLabel("Name", { exact: true }).inputValue()).toBe("Mine");
  await expect.poll(() => dialog.getByLabel("Slug").inputValue()).toBe("moved");
  await save.click();
  await overtaken.waitFor();
  await reload();
  await pages.call(partnerRoutes.updatePartner, { as: "root", params, body: { name: "Theirs" } });
  await pages.pushEvents();
  await page.locator("h1", { hasText: "Theirs" }).waitFor();
  await save.click();
  await overtaken.waitFor();
  await reload();
  await save.click();
  await dialog.waitFor({ state: "detached" });
  const { body } = await pages.call(partnerRoutes.getPartner, { as: "root", params });
  expect(body).toMatchObject({ slug: "moved", name: "Mine" });
  await close();
});

test("the result of a change is reported with undo after the viewer left the page", async () => {
  const id = await create("left");
  await pages.call(partnerRoutes.addPartnerDomain, {
    as: "root",
    params: { partner_id: id },
    body: { hostname: "agents.left.test" },
  });
  const { page, close } = await pages.open("root", `/partners/${id}`);
  /** Clicks the button, and leaves the page before the response arrives. */
  const leaveAfter = async (button: string, address: string) => {
    const answer = Promise.withResolvers<void>();
    await page.route(address, (route) => answer.promise.then(() => route.continue()));
    await page.getByRole("button", { name: button, exact: true }).click();
    await page.getByRole("link", { name: "Partners" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Partners" }).waitFor();
    answer.resolve();
  };
  const back = () => page.getByRole("link", { name: "left AG" }).click();
  await page.getByLabel("Logo file").setInputFiles({ name: "a.png", mimeType: "image/png", buffer: PNG });
  await page.getByText("Logo saved").waitFor();
  await leaveAfter("Remove logo", "**/logo");
  await page.getByText("Logo removed").waitFor();
  await back();
  await leaveAfter("Remove agents.left.test", "**/domains/*");
  await page.getByText("agents.left.test removed").waitFor();
  await page
    .getByRole("dialog")
    .filter({ hasText: "agents.left.test removed" })
    .getByRole("button", { name: "Undo" })
    .click();
  await page.getByText("agents.left.test added again").waitFor();
  await close();
});

test("an invalid logo is not sent; a valid one is shown and can be undone", async () => {
  const id = await create("pictured");
  const { page, complaints, close } = await pages.open("root", `/partners/${id}`);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "PUT") sent.push(request.url());
  });
  const picker = page.getByLabel("Logo file");
  await picker.setInputFiles({ name: "a.gif", mimeType: "image/gif", buffer: PNG });
  await page.getByText("The file is not a PNG, JPEG, WebP or SVG image").waitFor();
  await picker.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.alloc(256 * 1024 + 1) });
  await page.getByText("choose one of at most 256 KiB").waitFor();
  expect(sent).toEqual([]);
  await picker.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: PNG });
  await page.getByText("Logo saved").waitFor();
  const { logo_url } = await style(id);
  await expect.poll(() => page.getByAltText("Current logo").getAttribute("src")).toBe(logo_url);
  await preview(page, /Invitation page, with sample data/)
    .getByAltText("pictured AG")
    .waitFor();
  await page.getByRole("button", { name: "Remove logo", exact: true }).click();
  await page.getByText("Logo removed").waitFor();
  expect((await style(id)).logo_url).toBeNull();
  await page.getByRole("button", { name: "Undo" }).first().click();
  await page.getByText("Logo restored").waitFor();
  expect((await style(id)).logo_url).toBe(logo_url);
  expect(complaints).toEqual([]);
  await close();
});

test("a deletion lists what is deleted and requires the slug; a partner with clients leads to them", async () => {
  const id = await create("leaving");
  const { db } = pages.database;
  await db.insertInto("tenantry.users").values({ email: "a@leaving.test", partner_id: id }).execute();
  const { page, complaints, close } = await pages.open("root", `/partners/${id}`);
  await page.getByLabel("Host name").fill("agents.leaving.test");
  await page.getByRole("button", { name: "Add host" }).click();
  await page.getByRole("cell", { name: "agents.leaving.test", exact: true }).waitFor();
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Leaving & Sons");
  await page.getByRole("button", { name: "Save partner" }).click();
  await page.getByRole("heading", { level: 1, name: "Leaving & Sons" }).waitFor();
  await page.getByRole("button", { name: "Delete partner…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Delete partner", exact: true }).click();
  await dialog.getByText("1 user, with all access").waitFor();
  await dialog.getByText("1 host").waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  const all = dialog.getByRole("button", { name: "Delete everything" });
  await expect.poll(() => all.isDisabled()).toBe(true);
  await dialog.getByLabel("Type “leaving” to confirm").fill("leaving");
  await all.click();
  await page.getByText("Leaving & Sons deleted").waitFor();
  expect(new URL(page.url()).pathname).toBe("/partners");
  await page.getByRole("row", { name: /Leaving/ }).waitFor({ state: "detached" });
  expect(await db.selectFrom("tenantry.partners").where("id", "=", id).execute()).toEqual([]);
  expect(complaints.filter((text) => !text.includes("409"))).toEqual([]);

  const full = await create("full");
  await insertClient(db, { slug: "of-full", partner_id: full });
  await page.goto(new URL(`/partners/${full}`, pages.url).href);
  await page.getByRole("button", { name: "Delete partner…" }).click();
  await dialog.getByText("full AG has 1 client").waitFor();
  await dialog.getByRole("link", { name: "Show clients" }).click();
  await page.getByRole("link", { name: /of-full/ }).waitFor();
  await close();
});

test("platform roots change hosts, with undo; partner roots see only their own partner", async () => {
  const { page, close } = await pages.open("root", `/partners/${north}`);
  await page.getByLabel("Host name").fill("no host");
  const add = page.getByRole("button", { name: "Add host" });
  await add.click();
  await page.getByText("must be a host name, such as agents.example.com").waitFor();
  await page.getByLabel("Host name").fill("agents.north.test");
  await add.click();
  await page.getByRole("button", { name: "Remove agents.north.test" }).click();
  await page.getByText("agents.north.test removed").waitFor();
  await page.getByRole("cell", { name: "agents.north.test", exact: true }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo" }).first().click();
  await page.getByRole("cell", { name: "agents.north.test", exact: true }).waitFor();
  // A partner managed in Git cannot be renamed here.
  await page.getByText("Managed in Git: to rename or remove the partner").waitFor();
  expect(await page.getByRole("button", { name: /^(Edit|Delete) partner/ }).count()).toBe(0);
  await close();

  const own = await pages.open("north", `/partners/${north}`);
  await own.page.getByRole("cell", { name: "agents.north.test", exact: true }).waitFor();
  expect(await own.page.getByRole("button", { name: /^(Add|Remove|Edit|Delete)/ }).count()).toBe(0);
  await own.page.goto(new URL(`/partners/${pages.partners.south}`, pages.url).href);
  await own.page.getByText("Partner not found.").first().waitFor();
  await own.close();
});

test("a failed preview shows the reason, and loads on retry", async () => {
  const { page, close } = await pages.open("root", "/partners");
  await page.route("**/style/preview*", (route) => route.abort());
  await page.getByRole("link", { name: "north" }).click();
  const shown = page.getByRole("region", { name: "Preview" });
  await shown.getByText("Cannot reach the dashboard.").waitFor();
  await page.unroute("**/style/preview*");
  await shown.getByRole("button", { name: "Try again" }).click();
  await preview(page, /Invitation page, with sample data/)
    .getByText("north invites you")
    .waitFor();
  await close();
});
