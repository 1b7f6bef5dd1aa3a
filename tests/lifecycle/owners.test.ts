/** Two stacks with the same tenant. */
import { join } from "node:path";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { TAKE_OVER_VARIABLE } from "#domain/tenants/owner.ts";
import type { Edge } from "#local/edge.ts";
import { ADOPT_BUCKETS_VARIABLE } from "#stack/settings/run-flags.ts";
import { changedResources, pulumi, ROOT } from "../testing/engine.ts";
import { clientSettings, openPlatform, platformSettings, stackOf } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";

let edge: Edge;
let close: () => Promise<void>;
let owner: Stack;

const tenantStack = (name: string, slug = "acme"): Promise<Stack> => {
  const settings = {
    "tenantry:environment": "production",
    "tenantry:platformStack": "whole",
    "tenantry:clients": clientSettings([{ slug }]),
  };
  return stackOf(edge, settings, name);
};

const owners = () => sql(edge, "select distinct split_part(owner, '::', 1) as stack from tenantry.instances");
const tagsOf = (slug: string) => edge.store.get("script", `tenants/tenant-${slug}`)?.tags;

/** Deletes the tenant's Access application, as Cloudflare's dashboard does. */
async function deleteApplication(slug: string): Promise<void> {
  const application = edge.store.list("access_application").find(({ domain }) => domain?.startsWith(`${slug}.`));
  const response = await fetch(`${edge.apiUrl}/accounts/${edge.accountId}/access/apps/${application?.id}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${edge.apiToken}` },
  });
  expect(response.status).toBe(200);
}

beforeAll(async () => {
  ({ edge, close } = await openPlatform());
  await (await stackOf(edge, platformSettings([]))).up();
  owner = await tenantStack("prod-acme");
  await owner.up();
});
afterAll(() => close());

test("refuses another stack's slug in the preview and in the run, and does not change the tenant", async () => {
  const before = edge.store.counts();
  const rival = await tenantStack("rival");
  const refusal = /the client acme belongs to the stack tenantry\/prod-acme\. .*TENANTRY_TAKE_OVER=acme/;
  await expect(rival.preview()).rejects.toThrow(refusal);
  await expect(rival.up()).rejects.toThrow(refusal);
  await rival.destroy();
  expect(edge.store.counts()).toEqual(before);
  expect(await owners()).toEqual([{ stack: "urn:pulumi:prod-acme" }]);
  expect(tagsOf("acme")).toContain("stack:tenantry/prod-acme");
  expect(await changedResources(owner, "refresh")).toEqual([]);
  expect(await changedResources(owner, "up")).toEqual([]);
});

test("takes it over as documented, after which the former stack removes nothing of it", async () => {
  vi.stubEnv(TAKE_OVER_VARIABLE, "acme");
  vi.stubEnv(ADOPT_BUCKETS_VARIABLE, "acme");
  await deleteApplication("acme");
  const rival = await tenantStack("rival");
  await rival.up();
  vi.unstubAllEnvs();
  expect(await owners()).toEqual([{ stack: "urn:pulumi:rival" }]);
  expect(tagsOf("acme")).toContain("stack:tenantry/rival");
  const before = edge.store.counts();
  await expect(owner.destroy()).rejects.toThrow(
    "acme was not removed, and nothing has changed. The row of tenantry.instances",
  );
  expect(edge.store.counts()).toEqual(before);
  expect(await changedResources(await tenantStack("rival"), "up")).toEqual([]);

  // As docs/how-to/move-a-tenant-between-git-and-dashboard.md says, resources that the stack lost are removed from its state, and then it can be destroyed.
  const client = "urn:pulumi:prod-acme::tenantry::tenantry:components:Client::acme";
  const forgotten = await pulumi(edge, join(ROOT, "tenants"), [
    ...["state", "delete", client, "--target-dependents", "--stack", "organization/tenantry/prod-acme", "--yes"],
  ]);
  expect(forgotten, forgotten.output).toMatchObject({ code: 0 });
  await owner.destroy();
  expect(edge.store.counts()).toEqual(before);
  expect(await changedResources(await tenantStack("rival"), "refresh")).toEqual([]);
});
