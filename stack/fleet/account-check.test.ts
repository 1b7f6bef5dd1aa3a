import { describe, expect, test } from "vitest";
import { declare } from "../../components/testing/declared.ts";
import { DEFAULT_ACCOUNT_LIMITS, DEFAULT_TENANT_SHAPE } from "../../domain/account-limits.ts";
import type { GatewayChoice } from "../../domain/ai-gateways/gateway-selection.ts";
import { refuseBeyondLimits } from "./account-check.ts";
import type { FleetPlanArgs } from "./plan.ts";

const owner = (stack: string) => `urn:pulumi:${stack}::tenantry::tenantry:index:DatabaseRecord::x`;
const entry = { rowId: "row", declaredBy: "production", enabled: true, maxInstances: 9, bound: 0 } as const;

/** An account with three pool gateways and three of tenants' own before the run, one of them of development. */
const snapshot: FleetPlanArgs["snapshot"] = {
  empty: false,
  read: true,
  pool: [
    { ...entry, gatewayId: "kept", owner: owner("unit") },
    { ...entry, gatewayId: "dropped", owner: owner("unit") },
    { ...entry, gatewayId: "another-stacks", owner: owner("other") },
  ],
  bindings: new Map([
    ["gone", { gatewayId: "tenantry-gone", pooled: false, clientId: "gone" }],
    ["elsewhere", { gatewayId: "tenantry-elsewhere", pooled: false, clientId: "elsewhere" }],
    ["external", { gatewayId: "somebody-elses", pooled: false, clientId: "external" }],
  ]),
  partners: {},
  clients: {},
  tenantCounts: new Map([["development", { tenants: 4, dedicatedGateways: 1 }]]),
};

/** Runs the check for a stack that declares one tenant with a gateway of its own. */
const check = (aiGateways: number, poolSettings?: FleetPlanArgs["poolSettings"]) =>
  declare(() => {
    const choices = new Map<string, GatewayChoice>([["new", { kind: "dedicated", gatewayId: "tenantry-new" }]]);
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
    const limits = { ...DEFAULT_ACCOUNT_LIMITS, aiGateways };
    refuseBeyondLimits(fleet, { choices, removed: new Set(["gone"]) }, { shape: DEFAULT_TENANT_SHAPE, limits });
  });

describe("AI gateways of an account", () => {
  // Of tenants: new, elsewhere, development's one. Of pools: kept, another-stacks, and what the run makes.
  test("count as the run leaves them, in a platform's stack", async () => {
    const pool = ["kept", "more"].map((id) => ({ id, capacity: 1, enabled: true }));
    await expect(check(6, pool)).resolves.toBeDefined();
    await expect(check(5, pool)).rejects.toThrow(
      /the account would have to hold\n {2}6 AI gateways \(tenants: 4 in development, 3 in production\), of which it may hold 5: .*limits\.aiGateways/,
    );
  });

  test("count with every pool, in a stack of tenants", async () => {
    await expect(check(6)).resolves.toBeDefined();
    await expect(check(5)).rejects.toThrow(/6 AI gateways/);
  });
});
