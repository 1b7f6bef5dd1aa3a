import { describe, expect, test } from "vitest";
import { declare } from "#components/testing/declared.ts";
import type { GatewayChoice } from "#domain/ai-gateways/gateway-selection.ts";
import {
  accountNeeds,
  DEFAULT_ACCOUNT_LIMITS,
  DEFAULT_TENANT_SHAPE,
  type TenantShape,
} from "#domain/plans/account-limits.ts";
import { refuseBeyondLimits } from "./account-check.ts";
import type { FleetPlanArgs } from "./plan.ts";

type Snapshot = FleetPlanArgs["snapshot"];

const entry = { rowId: "row", declaredBy: "production", enabled: true, maxInstances: 9, bound: 0 } as const;
const owner = undefined;

const empty: Snapshot = {
  empty: false,
  read: true,
  pool: [],
  bindings: new Map(),
  partners: {},
  clients: {},
  earlierClients: {},
  doors: {},
  platformOwners: [],
  tenantCounts: new Map(),
  needs: undefined,
};

const dedicated = (slug: string): GatewayChoice => ({ kind: "dedicated", gatewayId: `tenantry-${slug}` });
const pooled: GatewayChoice = { kind: "pooled", gatewayId: "pool" };

interface Run {
  snapshot: Snapshot;
  declared: Record<string, GatewayChoice>;
  poolSettings?: FleetPlanArgs["poolSettings"];
  limits: Partial<typeof DEFAULT_ACCOUNT_LIMITS>;
  shape?: Partial<TenantShape>;
}

/** Runs the check for a stack that declares these tenants. */
const check = ({ snapshot, declared, poolSettings, limits, shape }: Run) =>
  declare(() => {
    const fleet: FleetPlanArgs = {
      environment: "production",
      managedBy: "git",
      partners: [],
      clients: [],
      createDedicatedAiGateways: true,
      snapshot,
      takeOver: new Set(),
      ...(poolSettings && { poolSettings }),
    };
    const at = {
      shape: { ...DEFAULT_TENANT_SHAPE, ...shape },
      limits: { ...DEFAULT_ACCOUNT_LIMITS, ...limits },
    };
    refuseBeyondLimits(fleet, { choices: new Map(Object.entries(declared)) }, at);
  });

describe("AI gateways of an account", () => {
  /** Three pool gateways and three dedicated ones before the run, one of them in development. */
  const bound = (gatewayId: string) => ({ gatewayId, pooled: false, clientId: gatewayId, isDeployed: true });
  const snapshot: Snapshot = {
    ...empty,
    pool: ["kept", "dropped", "another-stacks"].map((gatewayId) => ({ ...entry, gatewayId, owner })),
    bindings: new Map([
      ["gone", bound("tenantry-gone")],
      ["elsewhere", bound("tenantry-elsewhere")],
      ["external", bound("somebody-elses")],
    ]),
    tenantCounts: new Map([
      ["development", { tenants: 4, dedicatedGateways: 1 }],
      ["production", { tenants: 3, dedicatedGateways: 2 }],
    ]),
  };
  const run = { snapshot, declared: { new: dedicated("new") } };

  // Tenants: new, removed, of another stack, and development's. Pools: existing entries and those of the run.
  test("count during the run in a platform's stack, because deletions come last", async () => {
    const poolSettings = ["kept", "more"].map((id) => ({ id, capacity: 1, enabled: true }));
    await expect(check({ ...run, poolSettings, limits: { aiGateways: 8 } })).resolves.toBeDefined();
    await expect(check({ ...run, poolSettings, limits: { aiGateways: 7 } })).rejects.toThrow(
      /the account would exceed its limits:\n {2}8 AI gateways \(tenants: 4 in development, 4 in production\), of which it may hold 7; .*limits\.aiGateways/,
    );
  });

  test("count with every pool in a stack of tenants", async () => {
    await expect(check({ ...run, limits: { aiGateways: 7 } })).resolves.toBeDefined();
    await expect(check({ ...run, limits: { aiGateways: 6 } })).rejects.toThrow(/7 AI gateways/);
  });
});

describe("an account that is full", () => {
  /** The platform uses three Access groups. Acme and lab are deployed; `late` has only a row. */
  const row = (
    slug: string,
    isDeployed = true,
  ): [string, { gatewayId: string; pooled: true; clientId: string; isDeployed: boolean }] => [
    slug,
    { gatewayId: "pool", pooled: true, clientId: slug, isDeployed },
  ];
  const snapshot: Snapshot = {
    ...empty,
    pool: [{ ...entry, gatewayId: "pool", owner }],
    bindings: new Map([row("acme"), row("lab"), row("late", false)]),
    tenantCounts: new Map([["production", { tenants: 3, dedicatedGateways: 0 }]]),
  };
  const limits = { accessGroups: 5 };

  test("accepts a run that adds nothing, even after a refused tenant left its row", async () => {
    await expect(check({ snapshot, declared: { acme: pooled }, limits })).resolves.toBeDefined();
    await expect(check({ snapshot, declared: {}, limits })).resolves.toBeDefined();
    // Nor one that makes room, in the platform's own stack.
    await expect(check({ snapshot, declared: { acme: pooled }, poolSettings: [], limits })).resolves.toBeDefined();
  });

  test("refuses a tenant with only a row, and another without one", async () => {
    await expect(check({ snapshot, declared: { late: pooled }, limits })).rejects.toThrow(
      /6 Access groups \(tenants: 3 in production\), of which it may hold 5/,
    );
    await expect(check({ snapshot, declared: { acme: pooled, more: pooled }, limits })).rejects.toThrow(
      /7 Access groups/,
    );
  });

  test("refuses only what grows: allows a dedicated gateway when groups are exhausted", async () => {
    const declared = { acme: dedicated("acme") };
    await expect(check({ snapshot, declared, limits })).resolves.toBeDefined();
    await expect(check({ snapshot, declared, limits: { ...limits, aiGateways: 1 } })).rejects.toThrow(/2 AI gateways/);
  });

  test("counts a client in Git of which another stack has only written the row", async () => {
    const client = {
      id: "x",
      plan: "pro",
      partner: undefined,
      owner,
      isDashboards: false,
      hasInstance: false,
      createdAt: new Date(0),
    };
    const clients = { begun: client, dashboards: { ...client, isDashboards: true } };
    const half = { ...snapshot, bindings: new Map([row("acme")]), clients };
    await expect(
      check({ snapshot: half, declared: { more: pooled }, limits: { accessGroups: 6 } }),
    ).resolves.toBeDefined();
    await expect(check({ snapshot: half, declared: { more: pooled }, limits })).rejects.toThrow(/6 Access groups/);
  });

  test("has no room for settings that increase the needs of each tenant since the last deployment", async () => {
    const run = { snapshot, declared: { acme: pooled }, shape: { bucketCredentials: true }, limits: { apiTokens: 5 } };
    const needs = accountNeeds(DEFAULT_TENANT_SHAPE);
    await expect(check({ ...run, snapshot: { ...snapshot, needs } })).rejects.toThrow(/9 API tokens/);
    // Tenants get theirs when they are deployed.
    const deployed = accountNeeds({ ...DEFAULT_TENANT_SHAPE, bucketCredentials: true });
    await expect(check({ ...run, snapshot: { ...snapshot, needs: deployed } })).resolves.toBeDefined();
  });

  test("has no room for a second version of the platform's API tokens", async () => {
    const needs = accountNeeds(DEFAULT_TENANT_SHAPE);
    const run = { snapshot: { ...snapshot, needs }, declared: { acme: pooled }, limits: { apiTokens: 6 } };
    await expect(check(run)).resolves.toBeDefined();
    const shape = { platformTokenRotation: { version: 2, step: "prepare" } } as const;
    await expect(check({ ...run, shape })).rejects.toThrow(/API tokens/);
  });
});
