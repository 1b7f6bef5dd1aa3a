/** The API's stack file of a tenant for platform roots and partner roots. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { readStackFile } from "#fleet/files/stack-file.ts";
import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { type ApiUnderTest, type As, startApi } from "#workers/dashboard/testing/start-api.ts";

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.stop());

const urn = (stack: string) => `urn:pulumi:${stack}::tenantry::tenantry:index:ClientRecord::acme`;
async function tenant(slug: string, owner: string | null, managed_by = "git") {
  const client = await insertClient(api.database.db, { slug, name: "Acme", partner_id: api.partners.north, owner });
  const binding = { managed_by, owner, ai_gateway_id: "shared-1", token_version: 3 };
  return { instance_id: await insertInstance(api.database.db, client, binding) };
}
const file = async (params: { instance_id: string }, as: As = "north") =>
  (await api.call(instanceRoutes.getInstanceFile, { as, params })).body;

test("returns a tenant's own stack completely, as the fleet reads it", async () => {
  const { path, text, whole } = await file(await tenant("acme", urn("production-acme")), "root");
  expect([path, whole]).toEqual(["tenants/Pulumi.production-acme.yaml", true]);
  expect(readStackFile("production-acme", text).settings).toMatchObject({
    platformStacks: ["organization/tenantry/prod"],
    clients: [
      {
        slug: "acme",
        name: "Acme",
        partner: "north",
        plan: "pro",
        status: "production",
        instances: [{ aiGateway: "shared-1", tokenVersion: 3 }],
      },
    ],
  });
});

test("does not return the platform's stack to a partner root", async () => {
  const { text, whole } = await file(await tenant("kept", urn("production-kept")), "north");
  expect(whole).toBe(true);
  expect(text).toMatch(/^# tenantry:platformStack.* platform roots alone\.\nconfig:\n {2}tenantry:clients:\n/);
  expect(text).not.toContain("organization/");
});

test("returns the tenant's part of a stack with more tenants", async () => {
  const { path, text, whole } = await file(await tenant("lab", urn("prod")), "root");
  expect([path, whole]).toEqual(["Pulumi.prod.yaml", false]);
  expect(text).toMatch(/^config:\n {2}tenantry:clients:\n {4}- slug: lab\n/);
  expect(text).not.toContain("platformStack");
});

test("returns a dashboard tenant as it would be handed over, and none of another partner", async () => {
  const params = await tenant("shop", null, "dashboard");
  expect((await file(params)).path).toBe("tenants/Pulumi.production-shop.yaml");
  expect((await api.refused(instanceRoutes.getInstanceFile, { as: "south", params })).status).toBe(404);
});
