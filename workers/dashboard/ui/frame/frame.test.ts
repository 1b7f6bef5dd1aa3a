/** What stands around every page: the ways from one to another, how it looks, and what is shown when something is away. */

import { faultsInEveryLook } from "@tenantry/test-kit/accessibility";
import type { Page, WebSocketRoute } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient } from "#database/testing/fixtures.ts";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { LIVE_CLOSED } from "#workers/contracts/live-messages.ts";
import { accessibilityFaults, type PagesUnderTest, startPages } from "../../testing/start-pages.ts";

const PLACES = [
  ...["Overview", "Clients", "People", "Partners", "AI gateways", "Jobs", "Incidents", "Versions", "Capacity", "Audit"],
];
const OF_ROOTS_ALONE = ["Partners", "AI gateways", "Versions", "Capacity"];
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
const NOBODY = "00000000-0000-4000-8000-000000000000";
/** Bounds a wait; a busy machine may need much of it. */
const SOON = { timeout: 40_000 };

let pages: PagesUnderTest;
beforeAll(async () => {
  pages = await startPages();
  const { db } = pages.database;
  await insertClient(db, { slug: "umbrella", name: "Umbrella", partner_id: pages.partners.north });
  await insertClient(db, { slug: "hooli", name: "Hooli", partner_id: pages.partners.south });
});
afterAll(() => pages?.stop());

const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1, exact: true });
const palette = (page: Page) => page.getByRole("dialog", { name: "Search or go to" });
const dot = (page: Page, name: string) => page.getByRole("status").filter({ hasText: name });
const isDark = (page: Page) =>
  page.evaluate(() => Number(/\d+/.exec(getComputedStyle(document.documentElement).backgroundColor)?.[0]) < 128);
/** What the browser says of measures, which nobody gives here. */
const isExpected = (complaint: string) => complaint.includes("503");
const isWide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

/** Types into the palette, opened by the keyboard unless told otherwise, and goes to the one that is found. */
async function goTo(page: Page, letters: string, found: RegExp, open = () => page.keyboard.press("Control+k")) {
  await open();
  await palette(page).locator("input:focus").waitFor();
  await page.keyboard.type(letters);
  await palette(page).locator("[role=option][data-highlighted]").filter({ hasText: found }).waitFor();
  await page.keyboard.press("Enter");
}

/** Presses Tab until this has the focus. */
async function tabTo(page: Page, text: string) {
  for (let pressed = 0; pressed < 30; pressed++) {
    await page.keyboard.press("Tab");
    if ((await focused(page)) === text) return;
  }
  throw new Error(`Tab does not reach ${text}.`);
}

async function chooseOfViewer(page: Page, name: string) {
  await page.getByRole("button", { name: "Account: Rita" }).click();
  await page.getByRole("menuitem", { name }).click();
  await page.getByRole("menu").waitFor({ state: "detached" });
}

test("Ctrl K and a few letters lead to a page or a client, and Escape gives the focus back", async () => {
  const { page, complaints, close } = await pages.open("root", "/people");
  await heading(page, "People").waitFor();
  await page.getByRole("searchbox").focus();
  await page.keyboard.press("Control+k");
  await palette(page).locator("input:focus").waitFor();
  await page.keyboard.type("gate");
  await palette(page)
    .getByRole("option", { name: /^AI gateways/ })
    .waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await palette(page).waitFor({ state: "detached" });
  await page.locator("main input[type=search]:focus").waitFor();

  await goTo(page, "capa", /^Capacity/);
  await heading(page, "Capacity").waitFor();
  expect(await palette(page).count()).toBe(0);
  await goTo(page, "umbr", /^Umbrella/, () => page.getByRole("button", { name: "Search or go to" }).click());
  await heading(page, "Umbrella").waitFor();
  expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
  await close();
});

test("what the viewer may not see is not offered, neither in the list of pages nor in the palette", async () => {
  const { page, close } = await pages.open("north", "/people");
  await heading(page, "People").waitFor();
  for (const place of OF_ROOTS_ALONE) {
    expect(await page.getByRole("link", { name: place, exact: true }).count()).toBe(0);
  }
  await page.keyboard.press("Control+k");
  await palette(page).locator("input:focus").waitFor();
  await palette(page)
    .getByRole("option", { name: /^Branding/ })
    .waitFor();
  const offered = await palette(page).getByRole("option").allInnerTexts();
  expect(offered.filter((text) => OF_ROOTS_ALONE.some((place) => text.startsWith(place)))).toEqual([]);
  await page.keyboard.type("hoo");
  await palette(page).getByText("No matches").waitFor();
  expect(await palette(page).getByRole("option").count()).toBe(0);
  await close();
});

test("the keyboard alone skips to the page, and reaches and follows every page of the list", async () => {
  const { page, complaints, close } = await pages.open("root", "/people");
  await heading(page, "People").waitFor();
  await page.keyboard.press("Tab");
  expect(await focused(page)).toBe("Skip to content");
  await page.keyboard.press("Enter");
  await page.locator("main:focus").waitFor();
  await heading(page, "People").waitFor();
  await page.keyboard.press("Tab");
  await page.locator("main :focus").waitFor();

  await page.reload();
  await heading(page, "People").waitFor();
  for (const place of PLACES) {
    await tabTo(page, place);
    await page.keyboard.press("Enter");
    await heading(page, place).waitFor();
  }
  expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
  await close();
});

test("light and dark are the system's until they are chosen, and what is chosen outlives a reload", async () => {
  const { page, close } = await pages.open("root", "/clients", { colorScheme: "light" });
  await page.getByRole("link", { name: /^Umbrella/ }).waitFor();
  expect(await isDark(page)).toBe(false);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await isDark(page)).toBe(true);
  expect(await faultsInEveryLook(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });

  for (const [chosen, system] of [
    ["Dark", "light"],
    ["Light", "dark"],
  ] as const) {
    await page.emulateMedia({ colorScheme: system });
    await chooseOfViewer(page, chosen);
    expect(await isDark(page)).toBe(chosen === "Dark");
    await page.reload();
    await page.getByRole("link", { name: /^Umbrella/ }).waitFor();
    expect(await isDark(page)).toBe(chosen === "Dark");
    expect(await accessibilityFaults(page)).toEqual([]);
  }
  await chooseOfViewer(page, "System theme");
  expect(await isDark(page)).toBe(true);
  await close();
});

test("on a phone the list of pages is a drawer, which keeps the focus, leads to a page and closes; nothing scrolls sideways", async () => {
  const { page, complaints, close } = await pages.open("root", "/people", PHONE);
  const drawer = page.getByRole("dialog", { name: "Navigation" });
  const opener = page.getByRole("button", { name: "Open navigation" });
  await opener.tap();
  await drawer.waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  for (let pressed = 0; pressed < PLACES.length + 4; pressed++) {
    await page.keyboard.press("Tab");
    await drawer.locator(":focus").waitFor();
  }
  await drawer.getByRole("button", { name: "Close" }).tap();
  await drawer.waitFor({ state: "detached" });
  await opener.tap();
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "detached" });
  expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true);
  for (const place of PLACES) {
    await opener.tap();
    await drawer.getByRole("link", { name: place, exact: true }).tap();
    await drawer.waitFor({ state: "detached" });
    await heading(page, place).waitFor();
    await page.getByText("Loading…").first().waitFor({ state: "detached" });
    expect([place, await isWide(page)]).toEqual([place, false]);
  }
  // The page that is there already is gone to as well.
  await opener.tap();
  await drawer.getByRole("link", { name: "Audit", exact: true }).tap();
  await drawer.waitFor({ state: "detached" });
  expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
  await close();
});

test("an address that is none says so and leads back, and so does one of a client that is not there", async () => {
  const { page, close } = await pages.open("root", "/operations/nowhere");
  await heading(page, "Page not found").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole("link", { name: "Go to overview" }).click();
  await heading(page, "Overview").waitFor();
  await page.goto(new URL(`/clients/${NOBODY}`, pages.url).href);
  await page.getByRole("alert").getByText("Not found").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Clients" }).click();
  await page.getByRole("link", { name: /^Umbrella/ }).waitFor();
  await close();
});

test("while news are not heard the dot says so and pages are read anew from time to time, until they are heard again", async () => {
  const { page, close } = await pages.open("root", "/people");
  const sockets = new Set<WebSocketRoute>();
  let isAway = false;
  await page.routeWebSocket(/\/live(\?|$)/, async (socket) => {
    if (isAway) return socket.close({ code: 1012 });
    socket.connectToServer();
    sockets.add(socket);
  });
  await page.clock.install();
  await page.reload();
  await dot(page, "Live").waitFor();
  await page.getByRole("link", { name: "Clients", exact: true }).click();
  await page.getByRole("link", { name: /^Umbrella/ }).waitFor();
  isAway = true;
  for (const socket of sockets) await socket.close({ code: 1012 });
  await dot(page, "Updates every 15 s").waitFor();
  expect(await dot(page, "Updates every 15 s").getAttribute("title")).toContain("refresh every 15 seconds");
  await insertClient(pages.database.db, { slug: "meanwhile", name: "Meanwhile" });
  await page.clock.fastForward(15_000);
  await page.getByRole("link", { name: /^Meanwhile/ }).waitFor();
  isAway = false;
  await page.clock.fastForward(30_000);
  await dot(page, "Live").waitFor();
  await close();
});

test("who has listened for long enough listens on by the same log-in, and is not sent away", async () => {
  const { page, close } = await pages.open("root", "/people");
  const sockets = new Set<WebSocketRoute>();
  let connected = 0;
  await page.routeWebSocket(/\/live(\?|$)/, (socket) => {
    socket.connectToServer();
    connected += 1;
    sockets.add(socket);
  });
  await page.clock.install();
  await page.reload();
  await dot(page, "Live").waitFor();
  for (const socket of sockets) await socket.close({ code: LIVE_CLOSED.logInAgain });
  await dot(page, "Updates every 15 s").waitFor();
  await page.clock.fastForward(2_000);
  await dot(page, "Live").waitFor();
  expect([connected > 1, await page.getByRole("dialog").count()]).toEqual([true, 0]);
  await close();
});

test("a connection on which nobody answers any more is no news that are heard", async () => {
  const { page, close } = await pages.open("root", "/people");
  let connected = 0;
  await page.routeWebSocket(/\/live(\?|$)/, (socket) => {
    connected += 1;
    // The first hears the server, until the network between them is gone.
    const server = socket.connectToServer();
    if (connected === 1) socket.onMessage(() => undefined);
    else socket.onMessage((message) => server.send(message));
  });
  await page.clock.install();
  await page.reload();
  await dot(page, "Live").waitFor();
  await page.clock.fastForward(120_000);
  await dot(page, "Updates every 15 s").waitFor();
  await page.clock.fastForward(2_000);
  await dot(page, "Live").waitFor();
  expect(connected).toBeGreaterThan(1);
  await close();
});

test("a log-in that ends while a page is open is told, over a dialog too, and one comes back to the same place", async () => {
  const { page, context, close } = await pages.open("root", "/clients/new");
  await heading(page, "New client").waitFor();
  await page.getByLabel("Name").fill("Tyrell");
  await page.keyboard.press("Control+k");
  await palette(page).locator("input:focus").waitFor();
  const cookies = await context.cookies();
  await context.clearCookies();
  await page.keyboard.type("umb");
  const over = page.getByRole("dialog", { name: "Your session has expired" });
  await over.waitFor();
  await context.addCookies(cookies);
  await over.getByRole("button", { name: "Log in again" }).click();
  await heading(page, "New client").waitFor();
  await expect.poll(() => page.getByLabel("Name").inputValue(), SOON).toBe("Tyrell");
  await close();
});

test("without a network a page says so rather than wait, and shows once there is one again", async () => {
  const { page, context, close } = await pages.open("root", "/people");
  await heading(page, "People").waitFor();
  await page.getByRole("link", { name: "Clients", exact: true }).click();
  await page.getByRole("link", { name: /^Hooli/ }).click();
  await heading(page, "Hooli").waitFor();
  await page.goBack();
  await page.getByRole("link", { name: /^Umbrella/ }).waitFor();
  await context.setOffline(true);
  await page.getByRole("link", { name: /^Umbrella/ }).click();
  await page.getByRole("alert").getByText("Cannot reach the dashboard").waitFor();
  await context.setOffline(false);
  await heading(page, "Umbrella").waitFor();
  await close();
});

test("what cannot be read anew stays, and says of when it is", async () => {
  const id = await insertClient(pages.database.db, { slug: "tyrell", name: "Tyrell", managed_by: "dashboard" });
  const { page, close } = await pages.open("root", "/clients");
  await page.getByRole("link", { name: /^Tyrell/ }).waitFor();
  await dot(page, "Live").waitFor();
  const list = /\/client\?/;
  await page.route(list, (route) => route.fulfill({ status: 400, body: "{}" }));
  await pages.call(clientRoutes.updateClient, { as: "root", body: { id, name: "Rosen" } });
  await pages.pushNews();
  const note = page.getByRole("status").filter({ hasText: "Failed to refresh" });
  await note.waitFor();
  await page.getByRole("link", { name: /^Tyrell/ }).waitFor();
  await page.unroute(list);
  await note.locator("button:not([aria-busy=true])").click();
  await page.getByRole("link", { name: /^Rosen/ }).waitFor();
  await note.waitFor({ state: "detached" });
  await close();
});

test("letters typed while a search is on its way stay", async () => {
  const { page, close } = await pages.open("root", "/clients");
  await page.getByRole("link", { name: /^Umbrella/ }).waitFor();
  const box = page.getByRole("searchbox");
  await box.pressSequentially("umb ");
  await page.waitForURL(/umb/);
  expect(await box.inputValue()).toBe("umb ");
  await box.pressSequentially("rella");
  expect(await box.inputValue()).toBe("umb rella");
  await close();
});

test("the palette does what can be done anywhere, and says when clients cannot be searched", async () => {
  const { page, close } = await pages.open("north", "/people");
  await heading(page, "People").waitFor();
  await goTo(page, "new cl", /^New client/);
  await heading(page, "New client").waitFor();
  await goTo(page, "dark", /^Dark/);
  expect(await isDark(page)).toBe(true);
  await goTo(page, "system", /^System theme/);
  await page.route(/\/client\?/, (route) => route.fulfill({ status: 400, body: "{}" }));
  await page.keyboard.press("Control+k");
  await palette(page).locator("input:focus").waitFor();
  await page.keyboard.type("umb");
  await palette(page).getByText("Failed to search clients").waitFor();
  expect(await palette(page).getByText("No matches").count()).toBe(0);
  await close();
});

test("where one has come to is told, is in the browser's tab, and has the focus that went with the link", async () => {
  const { page, close } = await pages.open("root", "/clients");
  await page.getByRole("link", { name: /^Umbrella/ }).click();
  await heading(page, "Umbrella").waitFor();
  await page.getByRole("status").filter({ hasText: "Umbrella: overview · Tenantry" }).waitFor({ state: "attached" });
  await page.locator("main:focus").waitFor();
  await page.getByRole("link", { name: "Instance", exact: true }).click();
  await expect.poll(() => page.title(), SOON).toBe("Umbrella: instance · Tenantry");
  await close();
});

test("a page whose file went with a release is loaded anew and shows, and so is a part of one", async () => {
  const { page, close } = await pages.open("root", "/people");
  await heading(page, "People").waitFor();
  for (const file of ["palette", "clients-page"]) {
    let missing = 1;
    await page.route(`**/assets/${file}-*.js`, (route) =>
      missing-- > 0 ? route.fulfill({ status: 404 }) : route.continue(),
    );
  }
  const loaded = page.waitForEvent("load");
  await page.keyboard.press("Control+k");
  await loaded;
  await heading(page, "People").waitFor();
  await goTo(page, "clients", /^Clients/);
  await page.getByRole("link", { name: /^Umbrella/ }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/clients");
  await close();
});

test("a page whose file stays away says so, is not loaded for ever, and shows when it is tried again", async () => {
  const { page, close } = await pages.open("root", "/people");
  await heading(page, "People").waitFor();
  let loads = 0;
  page.on("request", (request) => (request.isNavigationRequest() ? loads++ : undefined));
  await page.route("**/assets/clients-page-*.js", (route) => route.fulfill({ status: 404 }));
  await goTo(page, "clients", /^Clients/);
  await expect.poll(() => loads, SOON).toBeGreaterThan(1);
  await page.getByRole("alert").getByText("Failed to load part of this page").waitFor();
  const before = loads;
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(loads).toBe(before);
  await page.unroute("**/assets/clients-page-*.js");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("link", { name: /^Umbrella/ }).waitFor();
  await close();
});

test("who cannot be told to be logged in is told why, and the page shows when it is tried again", async () => {
  const { page, close } = await pages.open("root", "/people");
  await heading(page, "People").waitFor();
  await page.route("**/session", (route) =>
    route.fulfill({ status: 403, json: { error: { code: "forbidden", message: "Not just now." } } }),
  );
  await page.reload();
  await page.getByText("Not just now.").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.unroute("**/session");
  await page.getByRole("button", { name: "Try again" }).click();
  await heading(page, "People").waitFor();
  await close();
});

test("logging out leads to Access, which ends the log-in", async () => {
  const { page, close } = await pages.open("root", "/people");
  await page.route("**/cdn-cgi/access/logout", (route) => route.fulfill({ body: "Logged out." }));
  await page.getByRole("button", { name: "Account: Rita" }).click();
  await page.getByRole("menuitem", { name: /^Log out/ }).click();
  await page.waitForURL(new URL("/cdn-cgi/access/logout", pages.url).href);
  await close();
});
