/** The frame of all pages: navigation, palette, theme and errors. */
import { findFaultsInAllViews } from "@tenantry/test-kit/accessibility";
import { collectConsoleErrors, openBrowserWithScrollbars } from "@tenantry/test-kit/browser";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findAccessibilityFaults, type PagesUnderTest } from "../../testing/start-pages.ts";
import { goTo, heading, palette, SOON, startFrame } from "./testing/frame.ts";

const PLACES = [
  ...["Overview", "Clients", "People", "Partners", "AI gateways", "Jobs", "Incidents", "Versions", "Capacity", "Audit"],
];
const ROOT_PLACES = ["Partners", "AI gateways", "Versions", "Capacity"];
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

let pages: PagesUnderTest;
beforeAll(async () => {
  pages = await startFrame();
});
afterAll(() => pages?.stop());

const isDark = (page: Page) =>
  page.evaluate(() => Number(/\d+/.exec(getComputedStyle(document.documentElement).backgroundColor)?.[0]) < 128);
/** Analytics is unavailable in these tests. */
const isExpected = (complaint: string) => complaint.includes("503");
const isWide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

/** Presses Tab until the element with this text has the focus. */
async function tabTo(page: Page, text: string) {
  for (let pressed = 0; pressed < 30; pressed++) {
    await page.keyboard.press("Tab");
    if ((await focused(page)) === text) return;
  }
  throw new Error(`Tab does not reach ${text}.`);
}

async function chooseTheme(page: Page, name: string) {
  await page.getByRole("button", { name: "Account: Rita" }).click();
  await page.getByRole("menuitem", { name }).click();
  await page.getByRole("menu").waitFor({ state: "detached" });
}

test("Ctrl K finds a page or a client by a few letters, and Escape returns the focus", async () => {
  const { page, complaints, close } = await pages.open("root", "/people");
  await heading(page, "People").waitFor();
  await page.getByRole("searchbox").focus();
  await page.keyboard.press("Control+k");
  await palette(page).locator("input:focus").waitFor();
  await page.keyboard.type("gate");
  await palette(page)
    .getByRole("option", { name: /^AI gateways/ })
    .waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
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

test("the palette finds partners and people, those of a partner root only, and labels each result with its kind", async () => {
  const offers = async (page: Page) =>
    (await palette(page).getByRole("option").allInnerTexts()).map((text) => text.replaceAll("\n", " "));
  const { page, complaints, close } = await pages.open("root", "/people");
  await heading(page, "People").waitFor();
  await page.keyboard.press("Control+k");
  await palette(page).locator("input:focus").waitFor();
  await page.keyboard.type("north");
  await palette(page)
    .getByRole("option", { name: /Person$/ })
    .waitFor();
  expect(await offers(page)).toEqual(["north north Partner", "Nora root@north.test Person"]);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await heading(page, "north").waitFor();
  await goTo(page, "nora", /^Nora/);
  await page.getByRole("dialog", { name: "Nora" }).waitFor();
  expect(complaints).toEqual([]);
  await close();

  const north = await pages.open("north", "/people");
  await heading(north.page, "People").waitFor();
  await north.page.keyboard.press("Control+k");
  await palette(north.page).locator("input:focus").waitFor();
  await north.page.keyboard.type("root@");
  await palette(north.page)
    .getByRole("option", { name: /Person$/ })
    .waitFor();
  expect(await offers(north.page)).toEqual(["Nora root@north.test Person"]);
  await palette(north.page).getByRole("combobox").fill("south");
  await palette(north.page).getByText("No matches").waitFor();
  await palette(north.page).getByRole("combobox").fill("north");
  await palette(north.page)
    .getByRole("option", { name: /Partner$/ })
    .waitFor();
  await north.close();
});

test("pages that the viewer cannot open are missing in the navigation and in the palette", async () => {
  const { page, close } = await pages.open("north", "/people");
  await heading(page, "People").waitFor();
  for (const place of ROOT_PLACES) {
    expect(await page.getByRole("link", { name: place, exact: true }).count()).toBe(0);
  }
  await page.keyboard.press("Control+k");
  await palette(page).locator("input:focus").waitFor();
  await palette(page)
    .getByRole("option", { name: /^Branding/ })
    .waitFor();
  const offered = await palette(page).getByRole("option").allInnerTexts();
  expect(offered.filter((text) => ROOT_PLACES.some((place) => text.startsWith(place)))).toEqual([]);
  await page.keyboard.type("hoo");
  await palette(page).getByText("No matches").waitFor();
  expect(await palette(page).getByRole("option").count()).toBe(0);
  await close();
});

test("the keyboard skips to the content and reaches every page of the navigation", async () => {
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

test("the theme follows the system until one is chosen, which survives a reload", async () => {
  const { page, close } = await pages.open("root", "/clients", { colorScheme: "light" });
  await page.getByRole("link", { name: /^Umbrella/ }).waitFor();
  expect(await isDark(page)).toBe(false);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await isDark(page)).toBe(true);
  expect(await findFaultsInAllViews(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });

  for (const [chosen, system] of [
    ["Dark", "light"],
    ["Light", "dark"],
  ] as const) {
    await page.emulateMedia({ colorScheme: system });
    await chooseTheme(page, chosen);
    expect(await isDark(page)).toBe(chosen === "Dark");
    await page.reload();
    await page.getByRole("link", { name: /^Umbrella/ }).waitFor();
    expect(await isDark(page)).toBe(chosen === "Dark");
    expect(await findAccessibilityFaults(page)).toEqual([]);
  }
  await chooseTheme(page, "System theme");
  expect(await isDark(page)).toBe(true);
  await close();
});

test("on a phone the navigation is a drawer that traps the focus and closes after a click, and no page scrolls sideways", async () => {
  const { page, complaints, close } = await pages.open("root", "/people", PHONE);
  const drawer = page.getByRole("dialog", { name: "Navigation" });
  const opener = page.getByRole("button", { name: "Open navigation" });
  await opener.tap();
  await drawer.waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
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
  // A link to the current page closes the drawer too.
  await opener.tap();
  await drawer.getByRole("link", { name: "Audit", exact: true }).tap();
  await drawer.waitFor({ state: "detached" });
  expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
  await close();
});

test("the top bar spans the window, and the content keeps its width when a scrollbar appears or a dialog locks the page", async () => {
  const { context, close } = await pages.open("root", "/people");
  const browser = await openBrowserWithScrollbars();
  const page = await browser.newPage({ storageState: await context.storageState() });
  await close();
  const complaints = collectConsoleErrors(page);
  await page.goto(new URL("/people", pages.url).href);
  await heading(page, "People").waitFor();
  const edges = () =>
    page.evaluate(() => {
      const right = (selector: string) => document.querySelector(selector)?.getBoundingClientRect().right;
      const scrollbar = innerWidth - document.documentElement.clientWidth;
      return { scrollbar, bar: right("header"), content: right("main header") };
    });
  const short = await edges();
  expect(short).toEqual({ scrollbar: 0, bar: 1280, content: expect.any(Number) });
  await page.evaluate(() => {
    document.body.style.minHeight = "200vh";
  });
  expect(await edges()).toEqual({ scrollbar: 15, bar: 1265, content: short.content });
  await page.keyboard.press("Control+k");
  await palette(page).locator("input:focus").waitFor();
  await expect.poll(edges, SOON).toEqual(short);
  expect(complaints).toEqual([]);
  await browser.close();
});

test("an unknown address or client shows an error that leads back", async () => {
  const { page, close } = await pages.open("root", "/operations/nowhere");
  await heading(page, "Page not found").waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole("link", { name: "Go to overview" }).click();
  await heading(page, "Overview").waitFor();
  await page.goto(new URL(`/clients/${UNKNOWN_ID}`, pages.url).href);
  await page.getByRole("alert").getByText("Not found", { exact: true }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Clients" }).click();
  await page.getByRole("link", { name: /^Umbrella/ }).waitFor();
  await close();
});

test("letters typed during a search stay", async () => {
  const { page, close } = await pages.open("root", "/clients");
  await page.getByRole("link", { name: /^Umbrella/ }).waitFor();
  const box = page.getByRole("searchbox");
  await box.pressSequentially("umb ");
  await page.waitForURL(/umb/);
  await expect.poll(() => box.inputValue()).toBe("umb ");
  await box.pressSequentially("rella");
  await expect.poll(() => box.inputValue()).toBe("umb rella");
  await close();
});

test("the palette runs commands, and reports a failed client search", async () => {
  const { page, close } = await pages.open("north", "/people");
  await heading(page, "People").waitFor();
  await goTo(page, "create cl", /^Create client/);
  await heading(page, "Create client").waitFor();
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

test("a navigation announces the page, sets the tab title and moves the focus", async () => {
  const { page, close } = await pages.open("root", "/clients");
  await page.getByRole("link", { name: /^Umbrella/ }).click();
  await heading(page, "Umbrella").waitFor();
  await page.getByRole("status").filter({ hasText: "Umbrella: overview · Tenantry" }).waitFor({ state: "attached" });
  await page.locator("main:focus").waitFor();
  await page.getByRole("link", { name: "Instance", exact: true }).click();
  await expect.poll(() => page.title(), SOON).toBe("Umbrella: instance · Tenantry");
  await close();
});

test("logging out leads to the logout page of Access", async () => {
  const { page, close } = await pages.open("root", "/people");
  await page.route("**/cdn-cgi/access/logout", (route) => route.fulfill({ body: "Logged out." }));
  await page.getByRole("button", { name: "Account: Rita" }).click();
  await page.getByRole("menuitem", { name: /^Log out/ }).click();
  await page.waitForURL(new URL("/cdn-cgi/access/logout", pages.url).href);
  await close();
});
