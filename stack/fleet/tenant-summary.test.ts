import { expect, test } from "vitest";
import { type TenantChange, tenantSummary } from "./tenant-summary.ts";

const after: NonNullable<TenantChange["after"]> = {
  plan: "pro",
  gateway: "pool-a",
  gatewayKind: "pooled",
  recreated: [],
  restarts: false,
};

test("has a line for each changed tenant, and counts the others", () => {
  const changes: TenantChange[] = [
    { slug: "acme", fate: "created", after },
    { slug: "beta", fate: "changed", after: { ...after, planBefore: "free", restarts: true } },
    { slug: "hooli", fate: "changed", after: { ...after, gateway: "tenantry-hooli", gatewayKind: "dedicated" } },
    { slug: "lab", fate: "replaced", after: { ...after, gatewayBefore: "pool-b", recreated: ["Worker", "container"] } },
    { slug: "gamma", fate: "removed" },
  ];
  expect(tenantSummary(changes, { unchanged: 17, unknown: 0 })?.split("\n")).toEqual([
    "tenants: 1 created, 2 changed, 1 replaced, 1 removed, 17 unchanged (rows, Worker, container)",
    "  acme   created   plan pro, AI gateway pool-a (pooled)",
    "  beta   changed   plan free → pro, AI gateway pool-a (pooled); its container restarts",
    "  hooli  changed   plan pro, AI gateway tenantry-hooli (dedicated)",
    "  lab    replaced  plan pro, AI gateway pool-b → pool-a (pooled); recreated: Worker, container",
    "  gamma  removed",
  ]);
});

test("has only the count without changes, and is empty without tenants", () => {
  expect(tenantSummary([], { unchanged: 3, unknown: 1 })).toBe(
    "tenants: 3 unchanged (rows, Worker, container), 1 not known before the run",
  );
  expect(tenantSummary([], { unchanged: 0, unknown: 0 })).toBeUndefined();
});
