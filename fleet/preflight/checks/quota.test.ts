import { type ApiServer, account_id, startApiServer } from "@tenantry/edge/testing/api";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { StackFacts } from "../../doctor/stacks/stack-facts.ts";
import { requirementsOf } from "../testing/requirements.ts";
import { quotaChecks } from "./quota.ts";

let server: ApiServer;
beforeEach(async () => {
  server = await startApiServer();
});
afterEach(() => server.close());

const groups = (count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, n) =>
      server.cloudflare.zeroTrust.access.groups.create({ account_id, name: `g${n}`, include: [{ everyone: {} }] }),
    ),
  );

async function check(id: string, more: Partial<Parameters<typeof requirementsOf>[0]> = {}) {
  const { url, apiToken } = server;
  return quotaChecks.find((one) => one.id === id)?.run(requirementsOf({ url, apiToken, ...more }));
}

test("counts what exists beyond one page, and what the stack needs", async () => {
  await groups(120);
  // A platform has three groups.
  expect(await check("quota_accessGroups")).toMatchObject({ state: "pass", found: "123 of 300" });
});

test("counts resources of the stack once", async () => {
  const [first, second] = await groups(2);
  const resource = (type: string) => ({ type, urn: "urn" });
  const resources = new Map([
    [first?.id ?? "", resource("cloudflare:index/zeroTrustAccessGroup:ZeroTrustAccessGroup")],
    [second?.id ?? "", resource("tenantry:index:MemberGroup")],
  ]);
  const state = { found: { resources } as unknown as StackFacts };
  expect(await check("quota_accessGroups", { state })).toMatchObject({ found: "3 of 300" });
});

test("warns when little is left, and fails when the rest is too small", async () => {
  const clients = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ slug: `c${n}`, name: "Client", plan: "enterprise" }));
  expect(await check("quota_accessGroups", { clients: clients(240) })).toMatchObject({
    state: "warn",
    found: "The account would have 243 of 300 Access groups.",
  });
  expect(await check("quota_accessGroups", { clients: clients(298) })).toMatchObject({ state: "fail" });
  expect(await check("quota_containers", { clients: clients(700) })).toMatchObject({
    state: "fail",
    found: expect.stringContaining("MiB of containers' memory"),
  });
  // Without a pool, each tenant has an AI gateway of its own.
  expect(await check("quota_aiGateways", { clients: clients(21) })).toMatchObject({
    state: "fail",
    found: "The account would have 21 AI gateways: 0 exist beside this stack's, and it needs 21. The limit is 20.",
  });
});
