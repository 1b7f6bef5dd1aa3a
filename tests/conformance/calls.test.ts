/** The calls of a deployment, a fleet run and the automation service have cases. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import Cloudflare from "cloudflare";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { countAccount } from "#automation/capacity/account.ts";
import { removeUnrecorded } from "#automation/engine/state/pending-creates.ts";
import { AccessGroups } from "#automation/outside/access-groups.ts";
import { AccessTokens } from "#automation/outside/access-tokens.ts";
import { RemainingResources } from "#automation/outside/remaining-resources.ts";
import type { Operation } from "#conformance/case.ts";
import { usedOperations, vendorOperations } from "#conformance/operations.ts";
import { dedicatedGatewayId } from "#domain/ai-gateways/gateway-selection.ts";
import type { Environment } from "#domain/environment.ts";
import { tenantResources } from "#domain/erasures/resources.ts";
import { ACCOUNT_ID, DOMAIN, ZONE_ID } from "#local/account.ts";
import type { Edge } from "#local/edge.ts";
import { GatewayLogs } from "#workers/dispatch/ai-usage/gateway-logs.ts";
import { killFleets, runFleet } from "../fleet/testing/fleet-run.ts";
import { openEdge, platformSettings, stackOf } from "../testing/platform.ts";

const CHANNEL = "tenantry:edge:api-call";

const called = new Set<string>();
const record = (operation: unknown) => void called.add(String(operation));

let edge: Edge;
let close: () => Promise<void>;
beforeAll(async () => {
  subscribe(CHANNEL, record);
  ({ edge, close } = await openEdge());
});
afterAll(async () => {
  unsubscribe(CHANNEL, record);
  killFleets();
  await close?.();
});

function settings(plan: string, defaultModel: string) {
  // The pool has two places: the third tenant has a gateway of its own.
  const whole = platformSettings(["acme", "beta", "lab"].map((slug) => ({ slug, plan })));
  const platform = { ...whole["tenantry:platform"], bucketCredentials: true, defaultModel };
  return { ...whole, "tenantry:platform": platform };
}

const exported = z.object({ resources: z.array(z.object({ type: z.string() })) });

test("a deployment calls operations that have cases, by resources whose calls are known", async () => {
  const stack = await stackOf(edge, settings("basic", "openai/gpt-5"));
  await stack.up();
  const { deployment } = await stack.exportStack();
  const types = exported.parse(deployment).resources.map(({ type }) => type);
  const vendors = types.filter((type) => type.startsWith("cloudflare:"));
  expect([...new Set(vendors)].filter((type) => vendorOperations[type] === undefined)).toEqual([]);

  await stack.refresh();
  await stackOf(edge, settings("pro", "openai/gpt-6"));
  await stack.up();
  expectKnown();
});

test("the doctor and the automation service call operations that have cases", async () => {
  const report = await runFleet(edge, ["doctor", "--json"]);
  expect(report, report.progress).toMatchObject({ code: 0 });

  const { apiUrl, apiToken } = edge;
  const signal = AbortSignal.timeout(60_000);
  await countAccount({ apiUrl, apiToken, accountId: ACCOUNT_ID }, signal);
  const service = { CLOUDFLARE_API_URL: apiUrl, CLOUDFLARE_API_TOKEN: apiToken, CLOUDFLARE_ACCOUNT_ID: ACCOUNT_ID };
  await new AccessGroups(service).setMembers(
    `Members of acme.${DOMAIN}`,
    { emails: ["new@example.com"], tokens: [] },
    signal,
  );
  const serviceTokens = new AccessTokens(service);
  await serviceTokens.list(signal);
  await serviceTokens.delete("00000000-0000-4000-8000-000000000000", signal);
  expect(await remaining("acme", "development")).toEqual([]);
  const logs = new GatewayLogs({ url: apiUrl, accountId: ACCOUNT_ID, token: apiToken });
  for (const gateway of await logs.gateways()) await logs.page(gateway, new Date(0), 1);

  const sdk = new Cloudflare({ apiToken, baseURL: apiUrl });
  const now = { manifest: { time: new Date().toISOString() }, resources: [] };
  const pending_operations = [
    ["cloudflare:index/zeroTrustAccessApplication:ZeroTrustAccessApplication", { accountId: ACCOUNT_ID }],
    ["cloudflare:index/zeroTrustAccessPolicy:ZeroTrustAccessPolicy", { accountId: ACCOUNT_ID }],
    ["cloudflare:index/accountToken:AccountToken", { accountId: ACCOUNT_ID }],
    ["cloudflare:index/aiGateway:AiGateway", { accountId: ACCOUNT_ID }],
    ["cloudflare:index/dnsRecord:DnsRecord", { zoneId: ZONE_ID }],
  ].map(([type, inputs]) => ({ type: "creating", resource: { type, inputs } }));
  await removeUnrecorded(sdk, { ...now, pending_operations }, { now, until: 0 });
  expectKnown();
});

test("a removal calls operations that have cases, and an erasure finds what it removed", async () => {
  const bucket = ["bucket", "tenantry-backups-lab"];
  expect(await remaining("lab", "production")).toEqual([
    ["worker", "tenant-lab"],
    ["container_application", "tenant-lab"],
    ["access_application", "Tenant lab"],
    ["access_policy", "Tenant lab: members"],
    ["access_policy", "Tenant lab: service tokens"],
    ["access_group", `Members of lab.${DOMAIN}`],
    ["api_token", "AI gateway of lab"],
    ["api_token", "Backups of lab"],
    ["ai_gateway", "tenantry-lab"],
    bucket,
  ]);
  const stack = await stackOf(edge, settings("pro", "openai/gpt-6"));
  await stack.destroy();
  expectKnown();
  // Production keeps the bucket, which an erasure deletes.
  expect(await remaining("lab", "production")).toEqual([bucket]);
  expect([...called].length).toBeGreaterThan(70);
});

/** Returns what an erasure finds of a tenant with an AI gateway of its own. */
async function remaining(slug: string, environment: Environment): Promise<string[][]> {
  const { apiUrl, apiToken } = edge;
  const reader = { environment, apiUrl, apiToken, accessToken: apiToken, accountId: ACCOUNT_ID };
  const tenant = { slug, environment, own_ai_gateway: dedicatedGatewayId(slug, environment), bucket_objects: 0 };
  const signal = AbortSignal.timeout(180_000);
  const found = await new RemainingResources(reader).find(tenantResources(tenant, DOMAIN), signal);
  return found.map(({ kind, name }) => [kind, name]);
}

/** Every recorded operation is in the list of used ones, which have cases (`cases.test.ts`). */
function expectKnown(): void {
  const used = usedOperations();
  expect([...called].filter((operation) => !used.has(operation as Operation)).toSorted()).toEqual([]);
}
