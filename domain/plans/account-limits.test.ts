import { describe, expect, test } from "vitest";
import type { Environment } from "../environment.ts";
import type { Rotation } from "../rotation.ts";
import {
  accountKinds,
  accountNeeds,
  accountUse,
  DEFAULT_ACCOUNT_LIMITS,
  DEFAULT_TENANT_SHAPE,
  type EnvironmentSize,
  limitFaults,
  platformUse,
  sizesOf,
  type TenantShape,
  tenantUse,
} from "./account-limits.ts";

const sizes = (tenants: Partial<Record<Environment, number>>) =>
  new Map<Environment, EnvironmentSize>(
    Object.entries(tenants).map(([environment, count]) => [
      environment as Environment,
      { tenants: count, dedicatedGateways: 0 },
    ]),
  );

/** What an account holds before anything is made. */
const nothing = accountUse(new Map(), 0, accountNeeds(DEFAULT_TENANT_SHAPE));

/** Most production tenants that fit into an account beside other environments' platforms. */
function most(shape: Partial<TenantShape> = {}, beside: Partial<Record<Environment, number>> = {}): number {
  for (let tenants = 1; ; tenants += 1) {
    const environments = sizes({ ...beside, production: tenants });
    const use = accountUse(environments, 1, accountNeeds({ ...DEFAULT_TENANT_SHAPE, ...shape }));
    if (limitFaults({ before: nothing, during: use }, DEFAULT_ACCOUNT_LIMITS, environments).length > 0)
      return tenants - 1;
  }
}

describe("tenants that an account holds", () => {
  // docs/explanation/limits-and-costs.md states these numbers.
  test.each([
    ["with one application, group and token and two policies each", {}, {}, 249],
    ["without service tokens", { serviceTokens: false }, {}, 297],
    ["with a health application each", { healthApplication: "tenant" }, {}, 247],
    ["with bucket credentials each", { bucketCredentials: true }, {}, 248],
    ["beside development and staging without tenants", {}, { development: 0, staging: 0 }, 246],
    ["beside tenants of development", {}, { development: 100 }, 148],
    ["beside tenants of staging, which take tokens alone", {}, { staging: 100 }, 247],
  ] as const)("%s", (_, shape, beside, expected) => {
    expect(most(shape, beside)).toBe(expected);
  });
});

describe("exceeded limits", () => {
  test("are all reported, with numbers, tenants and settings", () => {
    const environments = sizes({ production: 3, development: 1 });
    const during = accountUse(environments, 2, accountNeeds(DEFAULT_TENANT_SHAPE));
    const faultsOf = (limits: typeof during) => limitFaults({ before: nothing, during }, limits, environments);
    expect(faultsOf(during)).toEqual([]);
    const faults = faultsOf({ ...during, accessGroups: 9, aiGateways: 1 });
    expect(faults).toHaveLength(2);
    expect(faults[0]).toMatch(
      /^10 Access groups \(tenants: 3 in production, 1 in development\), of which it may hold 9; .* set limits\.accessGroups under tenantry:platform/,
    );
    expect(faults[1]).toMatch(/^2 AI gateways .* may hold 1; .*limits\.aiGateways/);
  });

  test("are accepted in a run that adds nothing, and reported only for kinds that grow", () => {
    const environments = sizes({ production: 3 });
    const before = accountUse(environments, 2, accountNeeds(DEFAULT_TENANT_SHAPE));
    expect(limitFaults({ before, during: before }, nothing, environments)).toEqual([]);
    const during = { ...before, apiTokens: before.apiTokens + 1 };
    expect(limitFaults({ before, during }, nothing, environments)).toEqual([expect.stringContaining("API tokens")]);
    expect(limitFaults({ before: nothing, during: before }, nothing, environments)).toHaveLength(accountKinds.length);
  });
});

test("counts two tokens of a kind for each tenant during a rotation of tenants' tokens", () => {
  const tokens = (tokenRotation?: Rotation) =>
    tenantUse("production", { ...DEFAULT_TENANT_SHAPE, bucketCredentials: true, tokenRotation }).apiTokens;
  expect(tokens()).toBe(2);
  expect(tokens({ version: 2, step: "prepare" })).toBe(4);
  expect(tokens({ version: 2, step: "switch" })).toBe(4);
  expect(tokens({ version: 2, step: "done" })).toBe(2);
});

test("counts two of each platform token during a rotation of the platform's tokens", () => {
  const tokens = (platformTokenRotation?: Rotation) =>
    platformUse("production", { ...DEFAULT_TENANT_SHAPE, platformTokenRotation }).apiTokens;
  expect(tokens()).toBe(3);
  expect(tokens({ version: 2, step: "prepare" })).toBe(6);
  expect(tokens({ version: 2, step: "switch" })).toBe(6);
  expect(tokens({ version: 2, step: "done" })).toBe(3);
});

describe("an environment's size", () => {
  const known = (gatewayId: string, isDeployed = true) => ({ gateway: { gatewayId, pooled: false }, isDeployed });
  const existing = new Map([
    ["kept", known("tenantry-kept")],
    ["elsewhere", known("somebody-elses")],
    ["begun", known("tenantry-begun", false)],
    ["others-begun", known("tenantry-others-begun", false)],
    ["moved", known("tenantry-moved")],
  ]);

  test("includes created and existing resources during a run, because deletions come last", () => {
    const sizes = sizesOf({
      environment: "production",
      existing,
      declared: new Map([
        ["moved", { kind: "pooled", gatewayId: "pool-a" }],
        ["begun", { kind: "dedicated", gatewayId: "tenantry-begun" }],
        ["new", { kind: "dedicated", gatewayId: "tenantry-new" }],
      ]),
    });
    // The one that has only a row is still to be made.
    expect(sizes).toEqual({
      before: { tenants: 4, dedicatedGateways: 3 },
      during: { tenants: 6, dedicatedGateways: 5 },
    });
  });
});
