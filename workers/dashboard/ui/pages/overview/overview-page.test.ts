/** The overview by role, with usage from the local edge's Analytics Engine. */
import { gzipSync } from "node:zlib";
import { type ApiServer, account_id, startApiServer, writePoint } from "@tenantry/edge/testing/api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openIncident } from "#database/health/incidents.ts";
import { insertClient, insertInstance, insertPoolEntry } from "#database/testing/fixtures.ts";
import { storeCapacity } from "#database/work/capacity.ts";
import { requestJob } from "#database/work/job-request.ts";
import { beginJob } from "#database/work/jobs.ts";
import { DEFAULT_CAPACITY } from "#domain/plans/capacity.ts";
import { costPoint, type Metric } from "#workers/contracts/tenant/metrics/cost-metrics.ts";
import { findAccessibilityFaults, type PagesUnderTest, startPages } from "#workers/dashboard/testing/start-pages.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DOLLAR = 1_000_000;
/** Size of all scripts of the first page with gzip: a slow phone loads them in two seconds. */
const BUDGET_BYTES = 200_000;

let cloudflare: ApiServer;
let pages: PagesUnderTest;
let acme: string;
beforeAll(async () => {
  cloudflare = await startApiServer();
  pages = await startPages({
    CF_ACCOUNT_ID: account_id,
    CLOUDFLARE_API_URL: cloudflare.url,
    ANALYTICS_TOKEN: cloudflare.apiToken,
  });
  const { db } = pages.database;
  const { north, south } = pages.partners;
  // Before the first usage.
  const created_at = new Date(Date.now() - 90 * DAY_MS);
  acme = await insertClient(db, { slug: "acme", name: "Acme", partner_id: north, created_at });
  const instanceId = await insertInstance(db, acme);
  const globex = await insertClient(db, { slug: "globex", name: "Globex", partner_id: south, created_at });
  await insertInstance(db, globex, {
    status: "frozen",
  });
  use("acme", "ai_spend", 30 * DOLLAR, 1);
  use("acme", "ai_spend", 20 * DOLLAR, 9);
  use("acme", "container_uptime", 7_200, 1);
  use("acme", "container_activity", 3_600, 1);
  use("globex", "ai_spend", 12 * DOLLAR, 2);
  await openIncident(db, { instanceId, kind: "gateway_dead", cause: "It is dead.", remedy: "Restart it." });
  const about = { clientId: acme, instanceId, slug: "acme", requestedBy: "root@north.test", environment: "production" };
  await beginJob(db, await requestJob(db, { ...about, kind: "rotate_token" }), "host");
  const used = { accessApplications: 460, accessGroups: 9, accessPolicies: 9, apiTokens: 9, aiGateways: 3 };
  await storeCapacity(db, { ...used, containerMemoryMiB: 4_096, containerVcpu: 2 }, DEFAULT_CAPACITY);
  await insertPoolEntry(db, { gateway_id: "pooled", max_instances: 7 });
});
afterAll(async () => {
  await pages?.stop();
  await cloudflare?.close();
});

/** Writes a usage point from `days` days and an hour ago. */
function use(slug: string, metric: Metric, value: number, days: number) {
  const { indexes, blobs, doubles } = costPoint(slug, { metric, value, dimensions: { environment: "production" } });
  const at = Date.now() - days * DAY_MS - HOUR_MS;
  writePoint(cloudflare.analytics, "tenantry", { at, index: indexes[0], blobs, doubles, sampleInterval: 1 });
}

test("a platform root sees usage compared with the previous period, by day, state and partner, and the current status", async () => {
  const { page, complaints, close } = await pages.open("root", "/?days=7");
  const usage = page.getByRole("region", { name: /Usage of the last 7 days/ });
  await usage.getByText("$42.00").waitFor();
  await usage.getByText("110% more").waitFor();

  const chart = page.getByRole("slider", { name: /Model cost by day/ });
  await chart.focus();
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => chart.getAttribute("aria-valuetext")).toMatch(/Model cost \$30\.00$/);
  await page.getByRole("combobox", { name: "Metric" }).selectOption("time");
  await page.getByRole("slider", { name: /Container time by day/ }).waitFor();
  expect(new URL(page.url()).searchParams.get("chart")).toBe("time");
  await expect
    .poll(() => page.getByRole("list", { name: "Legend" }).getByRole("listitem").allTextContents())
    .toEqual(["Active1 h", "Idle1 h"]);
  await page.getByText("Show as table").click();
  const table = page.getByRole("region", { name: /as table/ });
  await table.waitFor();
  await expect.poll(() => table.getByRole("row").count()).toBe(9);

  await expect.poll(() => page.getByRole("link", { name: "frozen" }).count()).toBe(1);
  await expect
    .poll(() => page.getByRole("table", { name: "Largest tenants" }).getByRole("link").allTextContents())
    .toEqual(["Acme (acme)", "Globex (globex)"]);
  await expect
    .poll(() =>
      page
        .getByRole("table", { name: /by partner/ })
        .getByRole("link")
        .allTextContents(),
    )
    .toEqual(["north", "south"]);
  await page.getByText("Gateway is dead").waitFor();
  await page.getByRole("link", { name: "Rotate token of acme: details" }).waitFor();
  await expect
    .poll(() => page.getByRole("meter", { name: "Access applications" }).getAttribute("aria-valuetext"))
    .toBe("460 of 500");
  await page.getByText("free slots").waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

test("a platform root sees the daily cost by partner; other viewers see the sum", async () => {
  await pages.database.pool.query(
    `insert into tenantry.usage_daily (client_id, day, metric, quantity, computed_at)
     select id, (now() at time zone 'utc')::date - 1, 'ai_spend', case slug when 'acme' then 30000000 else 12000000 end, now()
     from tenantry.clients`,
  );
  const { page, complaints, close } = await pages.open("root", "/?days=7");
  await page.getByRole("combobox", { name: "Metric" }).selectOption("partners");
  const chart = page.getByRole("slider", { name: /Model cost by partner by day/ });
  await chart.focus();
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => chart.getAttribute("aria-valuetext")).toMatch(/: north \$30\.00, south \$12\.00$/);
  await expect
    .poll(() => page.getByRole("list", { name: "Legend" }).getByRole("listitem").allTextContents())
    .toEqual(["north$30.00", "south$12.00"]);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  const address = new URL(page.url());
  expect(complaints).toEqual([]);
  await close();

  const south = await pages.open("south", `${address.pathname}${address.search}`);
  await south.page.getByRole("slider", { name: /^Model cost by day/ }).waitFor();
  expect(await south.page.getByRole("option", { name: "Model cost by partner" }).count()).toBe(0);
  expect(south.complaints).toEqual([]);
  await south.close();
});

test("a partner root sees only its own clients, without account and pool", async () => {
  const { page, complaints, close } = await pages.open("south", "/");
  await page.getByRole("link", { name: "Globex (globex)" }).waitFor();
  await page.getByText("$12.00").first().waitFor();
  await page.getByText("No open incidents").waitFor();
  await page.getByText("No running jobs").waitFor();
  for (const absent of ["Acme", "By partner", "Account", "AI gateways"]) {
    expect([absent, await page.getByRole("main").getByText(absent).count()]).toEqual([absent, 0]);
  }
  expect(complaints).toEqual([]);
  await close();
});

test("without analytics the rest of the page loads, and that part can be retried", async () => {
  const { page, context, close } = await pages.open("north", "/clients");
  let isAway = true;
  await context.route("**/analytics/global*", (route) =>
    isAway
      ? route.fulfill({
          status: 503,
          json: {
            error: {
              code: "tenant_unavailable",
              message: "The usage is temporarily unavailable. Try again in a moment.",
            },
          },
        })
      : route.continue(),
  );
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByText("Gateway is dead").waitFor();
  const alert = page.getByRole("alert");
  await alert.getByText("The usage is temporarily unavailable").waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  isAway = false;
  await alert.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("link", { name: "Acme (acme)" }).waitFor();
  await close();
});

test("the first page stays within the script budget and has no layout shift", async () => {
  const { page, context, close } = await pages.open("root", "/clients");
  await page.getByRole("link", { name: /Acme/ }).waitFor();
  const first = await context.newPage();
  const loaded = new Map<string, Promise<number>>();
  first.on("response", (response) => {
    if (response.request().resourceType() !== "script") return;
    loaded.set(
      response.url(),
      response.body().then((body) => gzipSync(body).length),
    );
  });
  await first.addInitScript(() => {
    const moved = globalThis as unknown as { moved: number };
    moved.moved = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) moved.moved += (entry as unknown as { value: number }).value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  await first.goto(new URL("/", pages.url).href);
  await first.getByRole("slider", { name: /Model cost by day/ }).waitFor();
  await first.getByRole("meter", { name: "Access applications" }).waitFor();
  const sizes = await Promise.all(loaded.values());
  expect(sizes.length).toBeGreaterThan(3);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(BUDGET_BYTES);
  expect(await first.evaluate(() => (globalThis as unknown as { moved: number }).moved)).toBeLessThan(0.02);
  await first.getByRole("button", { name: /Account:/ }).click();
  await first.getByRole("menuitem", { name: "API reference" }).waitFor();
  await close();
});
