/** Evidence of a platform without findings, for tests. */
import type { ExportedState } from "#automation/engine/state/scratch-backend.ts";
import type { KnownTenant } from "#database/tenants/known-tenants.ts";
import { RELEASE } from "#domain/release.ts";
import type { AccountResources } from "../account/account.ts";
import { type AccountResource, type ResourceKind, resourceKinds } from "../account/account-resource.ts";
import type { Evidence } from "../evidence.ts";
import type { Platform } from "../platform.ts";
import type { KnownRows } from "../rows.ts";
import { type StackFacts, stackFacts } from "../stacks/stack-facts.ts";

export const PLATFORM: Platform = {
  stack: "prod",
  version: 1,
  environment: "production",
  domain: "agents.example.com",
  accountId: "account",
  zoneId: "zone",
  dispatchNamespace: "tenants",
  permissions: { aiGatewayRun: "run", bucketObjectWrite: "write" },
};

interface Resource {
  type: string;
  name: string;
  id?: string;
  inputs?: object;
}

const COMPONENT = "tenantry:components:Client$";

export const rowsWith = (some: Partial<KnownRows>): { found: KnownRows } => ({
  found: { tenants: [], jobs: [], pushes: [], channels: [], ...some },
});

/** @param pending operations, each with its inputs */
export function stateOf(
  stack: string,
  resources: readonly Resource[],
  pending: readonly (Resource & { inputs: object })[] = [],
): ExportedState {
  const urn = ({ type, name }: Resource) => `urn:pulumi:${stack}::tenantry::${COMPONENT}${type}::${name}`;
  const made = resources.map((one) => ({ urn: urn(one), type: one.type, id: one.id, inputs: one.inputs }));
  const operations = pending.map((one) => ({
    type: "creating",
    resource: { urn: urn(one), type: one.type, inputs: one.inputs },
  }));
  return { version: 3, deployment: { resources: made, pending_operations: operations } };
}

export function tenantStack(
  slug: string,
  ids: readonly string[] = [],
  pending?: Parameters<typeof stateOf>[2],
): StackFacts {
  const resources = [
    { type: "pulumi:pulumi:StackReference", name: "organization/tenantry/prod", id: "organization/tenantry/prod" },
    { type: "tenantry:components:Client", name: slug },
    ...ids.map((id) => ({ type: "cloudflare:index/r2Bucket:R2Bucket", name: slug, id })),
  ];
  return stackFacts(`prod-${slug}`, undefined, stateOf(`prod-${slug}`, resources, pending));
}

export function tenantRow(
  slug: string,
  instance: Partial<NonNullable<KnownTenant["instance"]>> | null = {},
): KnownTenant {
  const usual = {
    id: `instance-${slug}`,
    managedBy: "git",
    status: "running",
    underWay: false,
    changedAt: new Date("2026-11-20T11:50:00Z"),
    owner: null,
    gatewayId: null,
    tokenVersion: 1,
    lastAlive: null,
  } as const;
  return {
    clientId: `client-${slug}`,
    slug,
    managedBy: "git",
    owner: null,
    plan: "basic",
    instance: instance && { ...usual, ...instance },
  };
}

export function accountResource(kind: ResourceKind, tenant: string, id = `${kind}-${tenant}`): AccountResource {
  return { kind, id, identity: `${id}@2026-11-01`, name: `${kind} of ${tenant}`, tenant, createdAt: null };
}

export function evidence({
  resources = [],
  ...more
}: Partial<Evidence> & { resources?: readonly AccountResource[] } = {}): Evidence {
  const account = Object.fromEntries(
    resourceKinds.map((kind) => [kind, { found: resources.filter((resource) => resource.kind === kind) }]),
  ) as AccountResources;
  const stacks = more.stacks ?? [];
  return {
    platform: PLATFORM,
    stacks,
    own: stacks,
    locked: { living: new Set(), dead: new Set() },
    rows: rowsWith({}),
    heartbeats: { found: new Map() },
    schema: { found: { deployed: RELEASE, differences: [] } },
    members: { found: [] },
    restores: { found: [] },
    account,
    tokens: { found: [] },
    contents: new Map(),
    now: new Date("2026-11-20T12:00:00Z"),
    ...more,
  };
}
