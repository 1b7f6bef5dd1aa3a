import { expect, test } from "vitest";
import { instanceSize } from "../tenants/instance-type.ts";
import { DEFAULT_TENANT_SHAPE, tenantUse } from "./account-limits.ts";
import { capacityFaults, containerNeeds, containerUse, DEFAULT_CAPACITY, isScarce, tenantsLeft } from "./capacity.ts";
import { PLAN_CONTAINERS } from "./plan.ts";

const none = {
  accessApplications: 0,
  accessGroups: 0,
  accessPolicies: 0,
  apiTokens: 0,
  aiGateways: 0,
  containerMemoryMiB: 0,
  containerVcpu: 0,
};
const containers = containerNeeds(PLAN_CONTAINERS);
const tenant = {
  ...tenantUse("production", DEFAULT_TENANT_SHAPE),
  ...containers.free,
};

test("reports only exceeded limits of resources that the tenant needs", () => {
  const full = { ...none, accessGroups: DEFAULT_CAPACITY.accessGroups, aiGateways: DEFAULT_CAPACITY.aiGateways };
  expect(capacityFaults(full, tenant, DEFAULT_CAPACITY)).toEqual([
    expect.stringMatching(/^The account has 300 of 300 Access groups, and the tenant needs 1: .*ACCOUNT_LIMITS/),
  ]);
  expect(capacityFaults({ ...full, accessGroups: 299 }, tenant, DEFAULT_CAPACITY)).toEqual([]);
  expect(capacityFaults(full, { ...tenant, accessGroups: 0, aiGateways: 1 }, DEFAULT_CAPACITY)).toHaveLength(1);
  // Both containers of a tenant are counted: the old one and the new one of a change.
  const { memoryMiB } = instanceSize(PLAN_CONTAINERS.pro);
  const asleep = { ...none, containerMemoryMiB: DEFAULT_CAPACITY.containerMemoryMiB - 2 * memoryMiB + 1 };
  expect(capacityFaults(asleep, { ...none, ...containers.pro }, DEFAULT_CAPACITY)).toEqual([
    expect.stringContaining(`the tenant needs ${2 * memoryMiB}:`),
  ]);
});

test("counts containers at their maximum number, by their type", () => {
  expect(
    containerUse([
      { type: "lite", most: 2 },
      { type: "standard-4", most: 1 },
    ]),
  ).toEqual({ containerMemoryMiB: 2 * 256 + 12_288, containerVcpu: 2 / 16 + 4 });
});

test("reports a resource as scarce from 80 %, and counts the tenants that still fit", () => {
  expect([isScarce(399, 500), isScarce(400, 500)]).toEqual([false, true]);
  expect(tenantsLeft({ ...none, accessGroups: 290, accessApplications: 495 }, tenant, DEFAULT_CAPACITY)).toBe(5);
  expect(tenantsLeft({ ...none, apiTokens: 600 }, tenant, DEFAULT_CAPACITY)).toBe(0);
});
