/** The pages without a connection, a login or their files. */
import type { WebSocketRoute } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient } from "#database/testing/fixtures.ts";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { LIVE_CLOSED } from "#workers/contracts/live-messages.ts";
import { findAccessibilityFaults, type PagesUnderTest } from "../../testing/start-pages.ts";
import { goTo, heading, indicator, palette, SOON, startFrame } from "./testing/frame.ts";

let pages: PagesUnderTest;
beforeAll(async () => {
  pages = await startFrame();
});
afterAll(() => pages?.stop());

test("without live events the indicator says so and pages are polled, until events are back", async () => {
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
  await indicator(page, "Live").waitFor();
  await page.getByRole("link", { name: "Clients", exact: true }).click();
  await page.getByRole("link", { name: /^Umbrella/ }).waitFor();
  isAway = true;
  for (const socket of sockets) await socket.close({ code: 1012 });
  await indicator(page, "Updates every 15 s").waitFor();
  await expect
    .poll(() => indicator(page, "Updates every 15 s").getAttribute("title"))
    .toContain("refresh every 15 seconds");
  await insertClient(pages.database.db, { slug: "meanwhile", name: "Meanwhile" });
  await page.clock.fastForward(15_000);
  await page.getByRole("link", { name: /^Meanwhile/ }).waitFor();
  isAway = false;
  await page.clock.fastForward(30_000);
  await indicator(page, "Live").waitFor();
  await close();
});

test("a long live connection reconnects with the same login", async () => {
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
  await indicator(page, "Live").waitFor();
  for (const socket of sockets) await socket.close({ code: LIVE_CLOSED.logInAgain });
  await indicator(page, "Updates every 15 s").waitFor();
  await page.clock.fastForward(2_000);
  await indicator(page, "Live").waitFor();
  expect([connected > 1, await page.getByRole("dialog").count()]).toEqual([true, 0]);
  await close();
});

test("a live connection without responses counts as closed", async () => {
  const { page, close } = await pages.open("root", "/people");
  let connected = 0;
  await page.routeWebSocket(/\/live(\?|$)/, (socket) => {
    connected += 1;
    // The first connection does not deliver messages to the server.
    const server = socket.connectToServer();
    if (connected === 1) socket.onMessage(() => undefined);
    else socket.onMessage((message) => server.send(message));
  });
  await page.clock.install();
  await page.reload();
  await indicator(page, "Live").waitFor();
  await page.clock.fastForward(120_000);
  await indicator(page, "Updates every 15 s").waitFor();
  await page.clock.fastForward(2_000);
  await indicator(page, "Live").waitFor();
  expect(connected).toBeGreaterThan(1);
  await close();
});

test("an expired login is reported over an open dialog, and the next login returns to the same page", async () => {
  const { page, context, close } = await pages.open("root", "/clients/new");
  await heading(page, "Create client").waitFor();
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
  await heading(page, "Create client").waitFor();
  await expect.poll(() => page.getByLabel("Name").inputValue(), SOON).toBe("Tyrell");
  await close();
});

test("a page reports a missing network instead of waiting, and loads when it is back", async () => {
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

test("data that cannot be refreshed stays, with its time", async () => {
  const id = await insertClient(pages.database.db, { slug: "tyrell", name: "Tyrell", managed_by: "dashboard" });
  const { page, close } = await pages.open("root", "/clients");
  await page.getByRole("link", { name: /^Tyrell/ }).waitFor();
  await indicator(page, "Live").waitFor();
  const list = /\/client\?/;
  await page.route(list, (route) => route.fulfill({ status: 400, body: "{}" }));
  await pages.call(clientRoutes.updateClient, { as: "root", body: { id, name: "Rosen" } });
  await pages.pushEvents();
  const note = page.getByRole("status").filter({ hasText: "Failed to refresh" });
  await note.waitFor();
  await page.getByRole("link", { name: /^Tyrell/ }).waitFor();
  await page.unroute(list);
  await note.locator("button:not([aria-busy=true])").click();
  await page.getByRole("link", { name: /^Rosen/ }).waitFor();
  await note.waitFor({ state: "detached" });
  await close();
});

test("a page reloads when a release replaced one of its files", async () => {
  const { page, close } = await pages.open("root", "/people");
  await heading(page, "People").waitFor();
  for (const file of ["palette", "clients-page"]) {
    let missing = 1;
    await page.route(`**/console/-/${file}-*.js`, (route) =>
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

test("a page whose file stays missing reports it without a reload loop, and loads on retry", async () => {
  const { page, close } = await pages.open("root", "/people");
  await heading(page, "People").waitFor();
  let loads = 0;
  page.on("request", (request) => (request.isNavigationRequest() ? loads++ : undefined));
  await page.route("**/console/-/clients-page-*.js", (route) => route.fulfill({ status: 404 }));
  await goTo(page, "clients", /^Clients/);
  await expect.poll(() => loads, SOON).toBeGreaterThan(1);
  await page.getByRole("alert").getByText("Failed to load part of this page").waitFor();
  const before = loads;
  expect(await findAccessibilityFaults(page)).toEqual([]);
  expect(loads).toBe(before);
  await page.unroute("**/console/-/clients-page-*.js");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("link", { name: /^Umbrella/ }).waitFor();
  await close();
});

test("a failed session request is reported, and the page loads on retry", async () => {
  const { page, close } = await pages.open("root", "/people");
  await heading(page, "People").waitFor();
  await page.route("**/session", (route) =>
    route.fulfill({ status: 403, json: { error: { code: "forbidden", message: "Not just now." } } }),
  );
  await page.reload();
  await page.getByText("Not just now.").waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.unroute("**/session");
  await page.getByRole("button", { name: "Try again" }).click();
  await heading(page, "People").waitFor();
  await close();
});
