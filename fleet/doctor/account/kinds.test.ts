import Cloudflare from "cloudflare";
import { expect, test } from "vitest";
import { tenantNames } from "#domain/names/deployed-names.ts";
import { PLATFORM } from "../testing/evidence.ts";
import { listAccountResources } from "./account.ts";
import { type ResourceKind, resourceKinds } from "./account-resource.ts";
import { ACCOUNT_KINDS } from "./kinds.ts";
import { TenantsByName } from "./tenants-by-name.ts";

const DEVELOPMENT = { ...PLATFORM, environment: "development", dispatchNamespace: "tenants-dev" } as const;
const LONG = "g".repeat(55);

/** The API's lists by the end of their paths. Other paths are not found. */
function argsOf(lists: Record<string, unknown>, platform: typeof PLATFORM = DEVELOPMENT, known: string[] = []) {
  const fetch = async (input: string | URL | Request) => {
    const { pathname, searchParams } = new URL(String(input));
    const found = Object.entries(lists).find(([path]) => pathname.endsWith(path));
    if (found === undefined)
      return Response.json({ success: false, errors: [{ code: 1, message: "none" }] }, { status: 404 });
    const result = Number(searchParams.get("page") ?? 1) > 1 ? [] : found[1];
    return Response.json({ success: true, errors: [], messages: [], result });
  };
  const client = new Cloudflare({ apiToken: "token", fetch, maxRetries: 0 });
  return { client, platform, tenants: new TenantsByName(platform.environment, known) };
}

const host = (label: string) => `${label}.agents.example.com`;
const policies = (id: string, effect = "allow") => [{ effect, permission_groups: [{ id }] }];
const group = [{ group: { id: "g" } }];
const dns = { type: "AAAA", content: "100::" };
const gateway = { created_at: "2026-11-01T00:00:00Z", authentication: true, dlp: {} };
const names = tenantNames("acme", "development");

/** Of each kind: path of the list, resources of acme in development, and similar ones of others. */
const CASES: Record<
  ResourceKind,
  { path: string; own: object[]; foreign: object[]; list?: (all: object[]) => unknown }
> = {
  dns_record: {
    path: "/dns_records",
    own: [{ id: "1", name: host("acme-dev"), ...dns }],
    foreign: [
      { id: "2", name: host("acme"), ...dns },
      { id: "3", name: host("acme-dev"), type: "AAAA", content: "2001:db8::1" },
      { id: "4", name: "acme-dev.elsewhere.example", ...dns },
    ],
  },
  container_application: {
    path: "/containers/applications",
    own: [{ id: "1", name: names.containerApplication, durable_objects: { namespace_id: "gone" } }],
    foreign: [
      { id: "2", name: names.containerApplication, durable_objects: { namespace_id: "anothers" } },
      { id: "3", name: names.containerApplication },
      { id: "4", name: "tenant-acme", durable_objects: { namespace_id: "gone" } },
    ],
  },
  script: {
    path: "/namespaces/tenants-dev/scripts",
    own: [{ created_on: "2026-11-01T00:00:00Z", script: { id: "tenant-acme-dev" } }],
    foreign: [{ created_on: "2026-11-01T00:00:00Z", script: { id: "acme-dev" } }],
  },
  access_application: {
    path: "/access/apps",
    own: [
      { id: "1", name: "Tenant acme-dev", domain: host("acme-dev") },
      { id: "2", name: "Tenant acme-dev: /api/health", domain: `${host("acme-dev")}/api/health` },
    ],
    foreign: [
      { id: "3", name: "Tenant acme", domain: host("acme") },
      { id: "4", name: "Tenant acme-dev", domain: host("other-dev") },
      { id: "5", name: "Tenant acme-dev" },
    ],
  },
  access_policy: {
    path: "/access/policies",
    own: [{ id: "1", name: "Tenant acme-dev: members", decision: "allow", include: group }],
    foreign: [
      { id: "2", name: "Tenant acme-dev: members", decision: "bypass", include: group },
      { id: "3", name: "Tenant acme-dev: members", decision: "allow", include: [{ everyone: {} }] },
      { id: "4", name: "Tenant acme: members", decision: "allow", include: group },
    ],
  },
  access_group: {
    path: "/access/groups",
    own: [{ id: "1", name: `Members of ${host("acme-dev")}` }],
    foreign: [
      { id: "2", name: `Members of ${host("acme")}` },
      { id: "3", name: `Members of ${host("dev-dash")}` },
      { id: "4", name: "Members of the choir" },
    ],
  },
  api_token: {
    path: "/tokens",
    own: [
      { id: "1", name: names.aiGatewayToken, policies: policies("run") },
      { id: "2", name: names.backupToken, policies: policies("write") },
    ],
    foreign: [
      { id: "3", name: names.aiGatewayToken, policies: policies("write") },
      { id: "4", name: names.aiGatewayToken, policies: [...policies("run"), ...policies("run")] },
      { id: "5", name: names.aiGatewayToken, policies: policies("run", "deny") },
      { id: "6", name: names.aiGatewayToken, policies: "?" },
      { id: "7", name: "AI gateway of marketing", policies: policies("run") },
    ],
  },
  ai_gateway: {
    path: "/ai-gateway/gateways",
    own: [{ id: "tenantry-acme-dev", ...gateway }],
    foreign: [
      { id: "tenantry-acme", ...gateway },
      { id: "tenantry-logs-dev", created_at: "2026-11-01T00:00:00Z" },
      { id: "pool-dev", ...gateway },
    ],
  },
  bucket: {
    path: "/r2/buckets",
    own: [{ name: names.backupBucket, creation_date: "2026-11-01T00:00:00Z" }],
    foreign: [
      { name: tenantNames("acme", "production").backupBucket, creation_date: "2026-11-01T00:00:00Z" },
      { name: tenantNames(LONG, "development").backupBucket, creation_date: "2026-11-01T00:00:00Z" },
    ],
    list: (buckets) => ({ buckets }),
  },
};

test.each(resourceKinds)("lists the resources of kind %s of the environment's tenants only", async (kind) => {
  const { path, own, foreign, list = (all) => all } = CASES[kind];
  const lists = { [path]: list([...foreign, ...own]), "/durable_objects/namespaces": [{ id: "anothers" }] };
  const found = await ACCOUNT_KINDS[kind].list(argsOf(lists));
  expect(found.map(({ tenant }) => tenant)).toEqual(own.map(() => "acme"));
  const ids = own.map((one) => ("id" in one ? one.id : "name" in one ? one.name : "tenant-acme-dev"));
  expect(found.map(({ id }) => id)).toEqual(ids);
});

test("finds the tenant of a shortened name when a row or stack has the tenant", async () => {
  const { path, foreign, list = (all) => all } = CASES.bucket;
  const found = await ACCOUNT_KINDS.bucket.list(argsOf({ [path]: list(foreign) }, DEVELOPMENT, [LONG]));
  expect(found).toMatchObject([{ tenant: LONG }]);
});

test("lists no DNS record in production, where tenants share a wildcard", async () => {
  const { path } = CASES.dns_record;
  const own = { id: "1", name: host("acme"), ...dns };
  expect(await ACCOUNT_KINDS.dns_record.list(argsOf({ [path]: [own] }, PLATFORM))).toEqual([]);
});

test("reports a kind that the token cannot list, and lists the others", async () => {
  const fetch = async (input: string | URL | Request) => {
    const isGroups = String(input).includes("/access/groups");
    const errors = isGroups ? [{ code: 10000, message: "Authentication error" }] : [];
    const result = String(input).includes("/r2/") ? { buckets: [] } : [];
    return Response.json({ success: !isGroups, errors, messages: [], result }, { status: isGroups ? 403 : 200 });
  };
  const client = new Cloudflare({ apiToken: "token", fetch, maxRetries: 0 });
  const found = await listAccountResources({ ...argsOf({}), client });
  expect(found.access_group).toEqual({
    fault:
      "permission denied: CLOUDFLARE_API_TOKEN cannot list Access groups; grant it Access: Organizations, Identity Providers, and Groups (Read) " +
      "(Authentication error (code 10000))",
  });
  for (const kind of resourceKinds.filter((one) => one !== "access_group"))
    expect(found[kind], kind).toEqual({ found: [] });
});
