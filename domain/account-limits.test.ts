import { describe, expect, test } from "vitest";
import {
  accountUse,
  DEFAULT_ACCOUNT_LIMITS,
  DEFAULT_TENANT_SHAPE,
  type EnvironmentSize,
  limitFaults,
  sizeAfter,
  type TenantShape,
} from "./account-limits.ts";
import type { Environment } from "./environment.ts";

const sizes = (tenants: Partial<Record<Environment, number>>) =>
  new Map<Environment, EnvironmentSize>(
    Object.entries(tenants).map(([environment, count]) => [
      environment as Environment,
      { tenants: count, dedicatedGateways: 0 },
    ]),
  );

/** Most production tenants that fit into an account beside other environments' platforms. */
function most(shape: Partial<TenantShape> = {}, beside: Partial<Record<Environment, number>> = {}): number {
  for (let tenants = 1; ; tenants += 1) {
    const environments = sizes({ ...beside, production: tenants });
    const use = accountUse(environments, 1, { ...DEFAULT_TENANT_SHAPE, ...shape });
    if (limitFaults(use, DEFAULT_ACCOUNT_LIMITS, environments).length > 0) return tenants - 1;
  }
}

describe("tenants that an account holds", () => {
  // docs/operating.md states these numbers.
  test.each([
    ["with one application, group, policy and token each", {}, {}, 297],
    ["with a health application each", { healthApplication: "tenant" }, {}, 248],
    ["with bucket credentials each", { bucketCredentials: true }, {}, 249],
    ["beside development and staging without tenants", {}, { development: 0, staging: 0 }, 290],
    ["beside tenants of development", {}, { development: 100 }, 194],
    ["beside tenants of staging, which take tokens alone", {}, { staging: 100 }, 293],
  ] as const)("%s", (_, shape, beside, expected) => {
    expect(most(shape, beside)).toBe(expected);
  });
});

describe("limits that are passed", () => {
  test("are all named, with numbers, tenants and settings", () => {
    const environments = sizes({ production: 3, development: 1 });
    const use = accountUse(environments, 2, DEFAULT_TENANT_SHAPE);
    expect(limitFaults(use, use, environments)).toEqual([]);
    const faults = limitFaults(use, { ...use, accessGroups: 9, aiGateways: 1 }, environments);
    expect(faults).toHaveLength(2);
    expect(faults[0]).toMatch(
      /^10 Access groups \(tenants: 3 in production, 1 in development\), of which it may hold 9: .* set limits\.accessGroups under tenantry:platform/,
    );
    expect(faults[1]).toMatch(/^2 AI gateways .* may hold 1: .*limits\.aiGateways/);
  });
});

describe("an environment's size after a run", () => {
  const existing = new Map([
    ["kept", { gatewayId: "tenantry-kept", pooled: false }],
    ["elsewhere", { gatewayId: "somebody-elses", pooled: false }],
    ["gone", { gatewayId: "tenantry-gone", pooled: false }],
    ["moved", { gatewayId: "tenantry-moved", pooled: false }],
  ]);

  test("counts tenants of all stacks, those that the run adds, and not those that it removes", () => {
    const size = sizeAfter({
      environment: "production",
      existing,
      declared: new Map([
        ["moved", { kind: "pooled", gatewayId: "pool-a" }],
        ["new", { kind: "dedicated", gatewayId: "tenantry-new" }],
      ]),
      removed: new Set(["gone", "moved"]),
    });
    expect(size).toEqual({ tenants: 4, dedicatedGateways: 2 });
  });
});
