import { type ApiServer, account_id, domain, startApiServer, zone_id } from "@tenantry/edge/testing/api";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { serviceTokenName } from "#domain/access/service-token.ts";
import { type ResourceKind, resourceKinds, tenantResources } from "#domain/erasures/resources.ts";
import { RemainingResources } from "./remaining-resources.ts";

let server: ApiServer;
/** Replaces responses of Cloudflare's API to requests of the check. */
let answer: (url: URL) => Response | undefined;
beforeAll(async () => {
  server = await startApiServer(async ({ method, url }) => (method === "GET" ? answer(new URL(url)) : undefined));
  const { workersForPlatforms } = server.cloudflare;
  await workersForPlatforms.dispatch.namespaces.create({ account_id, name: "tenants-dev" });
});
afterAll(() => server.close());
beforeEach(() => {
  answer = () => undefined;
});

const DOMAIN = `agents.${domain}`;
const HOST = `acme-dev.${DOMAIN}`;
const tenant = {
  slug: "acme",
  environment: "development",
  own_ai_gateway: "tenantry-acme-dev",
  bucket_objects: 3,
} as const;
const find = (kinds: readonly ResourceKind[] = resourceKinds, apiToken = server.apiToken) => {
  const options = { environment: "development", apiUrl: server.url, accountId: account_id, apiToken } as const;
  const remaining = new RemainingResources({ ...options, accessToken: server.apiToken });
  const resources = tenantResources(tenant, DOMAIN).filter(({ kind }) => kinds.includes(kind));
  return remaining.find(resources, AbortSignal.timeout(180_000));
};

const include = [{ everyone: {} }];
const script = { account_id, dispatch_namespace: "tenants-dev" };
const policies = [
  {
    effect: "allow" as const,
    permission_groups: [{ id: "2efd5506f9c8494dacb1fa10a3e7d5b6" }],
    resources: { [`com.cloudflare.api.account.${account_id}`]: "*" },
  },
];

async function uploadWorker(name: string): Promise<void> {
  await server.cloudflare.workersForPlatforms.dispatch.namespaces.scripts.update(name, {
    ...script,
    metadata: {
      main_module: "index.js",
      compatibility_date: "2026-01-01",
      migrations: { new_tag: "v1", steps: [{ new_sqlite_classes: ["Sandbox"] }] },
      ...{ containers: [{ class_name: "Sandbox" }] },
    },
    files: [new File(["export default {};"], "index.js", { type: "application/javascript+module" })],
  });
}

/** Creates a resource of each kind that has the tenant's name, and another one with a similar name. */
const CREATE: Readonly<Record<ResourceKind, (which: "acme" | "acme-2") => Promise<unknown>>> = {
  worker: (which) => uploadWorker(`tenant-${which}-dev`),
  container_application: async (which) => {
    const owner = `owner-${which}`;
    await uploadWorker(owner);
    const namespaces = await server.cloudflare.durableObjects.namespaces.list({ account_id });
    return server.cloudflare.containers.applications.create({
      ...{ account_id, name: `tenant-${which}-dev`, scheduling_policy: "default", instances: 0, max_instances: 2 },
      configuration: { image: "registry.example.com/gateway:1", instance_type: "lite" },
      durable_objects: { namespace_id: namespaces.result.find((one) => one.script === owner)?.id ?? "" },
    });
  },
  dns_record: (which) =>
    server.cloudflare.dns.records.create({
      ...{
        zone_id: zone_id,
        name: `${which}-dev.${DOMAIN}`,
        type: "AAAA",
        content: "100::",
        ttl: 1,
        proxied: true,
      },
    }),
  access_application: (which) =>
    server.cloudflare.zeroTrust.access.applications.create({
      ...{ account_id, name: `Tenant ${which}-dev`, type: "self_hosted", domain: `${which}-dev.${DOMAIN}` },
    }),
  access_policy: (which) =>
    server.cloudflare.zeroTrust.access.policies.create({
      ...{ account_id, name: `Tenant ${which}-dev: service tokens`, decision: "non_identity", include },
    }),
  access_group: (which) =>
    server.cloudflare.zeroTrust.access.groups.create({
      ...{ account_id, name: `Members of ${which}-dev.${DOMAIN}`, include },
    }),
  service_tokens: (which) =>
    server.cloudflare.zeroTrust.access.serviceTokens.create({
      ...{ account_id, name: serviceTokenName("0".repeat(36), `${which}-dev.${DOMAIN}`) },
    }),
  api_token: (which) =>
    server.cloudflare.accounts.tokens.create({ account_id, name: `Backups (second) of ${which}-dev`, policies }),
  ai_gateway: (which) =>
    server.cloudflare.aiGateway.create({
      ...{
        account_id,
        id: `tenantry-${which}-dev`,
        cache_invalidate_on_update: true,
        cache_ttl: 0,
        collect_logs: true,
      },
      ...{ rate_limiting_interval: 0, rate_limiting_limit: 0, rate_limiting_technique: "fixed" },
    }),
  bucket: (which) => server.cloudflare.r2.buckets.create({ account_id, name: `tenantry-backups-${which}-dev` }),
};

test.each(resourceKinds)("finds a %s by its exact name only", async (kind) => {
  await CREATE[kind]("acme-2");
  expect(await find([kind])).toEqual([]);
  await CREATE[kind]("acme");
  expect(await find([kind])).toMatchObject([{ kind, name: expect.stringContaining("acme-dev") }]);
});

test("finds a resource on the last page", async () => {
  const { groups } = server.cloudflare.zeroTrust.access;
  const first = (await groups.list({ account_id })).result.find(({ name }) => name === `Members of ${HOST}`);
  await groups.delete(first?.id ?? "", { account_id });
  for (let n = 0; n < 60; n += 1) await groups.create({ account_id, name: `group ${n}`, include });
  expect(await find(["access_group"])).toEqual([]);
  await groups.create({ account_id, name: `Members of ${HOST}`, include });
  expect(await find(["access_group"])).toEqual([{ kind: "access_group", name: `Members of ${HOST}` }]);
});

test("reads every kind with the permissions that its messages name", async () => {
  const { tokens } = server.cloudflare.accounts;
  const groups = await tokens.permissionGroups.list({ account_id });
  const reads = (names: readonly string[], resource: string) => ({
    effect: "allow" as const,
    permission_groups: names.map((name) => ({ id: groups.result.find((one) => one.name === name)?.id ?? name })),
    resources: { [resource]: "*" },
  });
  const ofAccount = [
    ...["Workers Scripts Read", "Workers Containers Read", "Access: Apps and Policies Read"],
    ...["Access: Organizations, Identity Providers, and Groups Read", "Account API Tokens Read"],
    ...["AI Gateway Read", "Workers R2 Storage Read"],
  ];
  const { value = "" } = await tokens.create({
    account_id,
    name: "reads",
    policies: [
      reads(ofAccount, `com.cloudflare.api.account.${account_id}`),
      reads(["DNS Read"], `com.cloudflare.api.account.zone.${zone_id}`),
    ],
  });
  expect(await find(resourceKinds, value)).toHaveLength(resourceKinds.length);
});

const page = (result: unknown[], total_count: number) =>
  Response.json({ success: true, errors: [], messages: [], result, result_info: { total_count } });
const UNCLEAR: readonly [string, ResourceKind, (url: URL) => Response][] = [
  ["a refusal", "api_token", () => Response.json({ success: false, errors: [{ code: 10000 }] }, { status: 403 })],
  ["a proxy's page with status 404", "worker", () => new Response("<html>Not found</html>", { status: 404 })],
  ["a proxy's page with status 200", "bucket", () => new Response("<html>Sign in</html>")],
  ["a list without a total", "access_policy", () => Response.json({ success: true, result: [] })],
  ["a list that ends before its total", "access_group", () => page([], 3)],
  [
    "a list whose total changes between its pages",
    "access_application",
    ({ searchParams }) =>
      searchParams.get("page") === "1" ? page(Array(50).fill({ name: "x" }), 52) : page([{ name: "y" }], 51),
  ],
  ["a failed list", "container_application", () => Response.json({ success: false, result: [] })],
  ["no zone of the host", "dns_record", () => page([], 0)],
];

test.each(UNCLEAR)("takes %s for no absence, and names kind and permission", async (_what, kind, response) => {
  answer = response;
  await expect(find([kind])).rejects.toMatchObject({
    reason: "erasure_not_checked",
    message: expect.stringMatching(
      /^Failed to read at Cloudflare whether the .*acme-dev.*Check that PROVISIONING_API_TOKEN has/s,
    ),
  });
});

test("names the variable of the token that reads service tokens", async () => {
  answer = () => Response.json({ success: false, errors: [{ code: 10000 }] }, { status: 403 });
  await expect(find(["service_tokens"])).rejects.toThrow(
    "Check that CLOUDFLARE_API_TOKEN has the permission Access: Service Tokens (Edit).",
  );
});
