/** Incidents for both kinds of roots, capacity for platform roots. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openIncident } from "#database/health/incidents.ts";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { storeCapacity } from "#database/work/capacity.ts";
import { DEFAULT_CAPACITY } from "#domain/plans/capacity.ts";
import { findAccessibilityFaults, type PagesUnderTest, startPages } from "#workers/dashboard/testing/start-pages.ts";

let pages: PagesUnderTest;
beforeAll(async () => {
  pages = await startPages();
});
afterAll(() => pages?.stop());

async function ailing(slug: string, partner_id: string) {
  const { db } = pages.database;
  const instanceId = await insertInstance(db, await insertClient(db, { slug, partner_id }));
  await openIncident(db, { instanceId, kind: "gateway_dead", cause: "It is dead.", remedy: "Restart it." });
}

test("an open incident shows its remedy and who acknowledged it; a failed acknowledgement changes nothing", async () => {
  await ailing("acme", pages.partners.north);
  await ailing("hooli", pages.partners.south);
  const { page, context, complaints, close } = await pages.open("north", "/operations/incidents");
  const incident = page.getByRole("article", { name: "Gateway is dead: acme" });
  await incident.getByText("Restart it.").waitFor();
  await expect.poll(() => page.getByRole("article").count()).toBe(1);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  const acknowledge = incident.getByRole("button", { name: /^Acknowledge/ });
  const route = "**/incidents/*/acknowledge";
  await context.route(route, (call) =>
    call.fulfill({ status: 403, json: { error: { code: "forbidden", message: "Not you." } } }),
  );
  await acknowledge.click();
  await incident.getByRole("alert").getByText("Not you.").waitFor();
  await context.unroute(route);
  await acknowledge.click();
  await incident.getByText(/Acknowledged by root@north\.test/).waitFor();
  await acknowledge.waitFor({ state: "detached" });
  await page.getByText("Live", { exact: true }).first().waitFor();
  await pages.database.pool.query("update tenantry.incidents set closed_at = now()");
  await pages.pushEvents();
  await page.getByText("No open incidents").waitFor();
  await page.getByRole("link", { name: "Resolved", exact: true }).click();
  await incident.getByText("Resolved", { exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get("show")).toBe("over");
  expect(complaints.filter((complaint) => !complaint.includes("403"))).toEqual([]);
  await close();
});

test("capacity shows scarce resources and the number of available tenants, once they are counted", async () => {
  const { page, complaints, close } = await pages.open("root", "/operations/capacity");
  await page.getByText("Not counted yet").waitFor();
  const used = { accessApplications: 460, accessGroups: 300, accessPolicies: 9, apiTokens: 9, aiGateways: 3 };
  await storeCapacity(pages.database.db, { ...used, containerMemoryMiB: 4_096, containerVcpu: 2 }, DEFAULT_CAPACITY);
  await page.reload();
  await page.getByText("0 more tenants", { exact: true }).waitFor();
  const scarce = page.getByRole("region", { name: "Scarce" }).getByRole("listitem");
  expect((await scarce.allTextContents()).toSorted()).toEqual(["Access applications40 left", "Access groupsused up"]);
  await expect
    .poll(() => page.getByRole("meter", { name: "Container memory" }).getAttribute("aria-valuetext"))
    .toBe("4 GiB of 6,144 GiB");
  expect(await findAccessibilityFaults(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

test("pages for platform roots send no request for other viewers", async () => {
  const { page, complaints, close } = await pages.open("south", "/operations/incidents");
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  for (const absent of ["Versions", "Capacity"]) expect(await page.getByRole("link", { name: absent }).count()).toBe(0);
  const asked: string[] = [];
  page.on("request", (request) => void asked.push(new URL(request.url()).pathname));
  for (const path of ["capacity", "versions", `rollouts/${crypto.randomUUID()}`]) {
    await page.goto(new URL(`/operations/${path}`, pages.url).href);
    await page.getByText("Requires the platform root role").waitFor();
    expect(await findAccessibilityFaults(page)).toEqual([]);
  }
  expect(asked.filter((path) => /^\/(capacity|images|rollouts|worker-bundles)/.test(path))).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});
