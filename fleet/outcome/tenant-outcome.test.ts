import { expect, test } from "vitest";
import type { ResourceChange } from "#automation/engine/run/resource-change.ts";
import { DEFAULT_PRICES } from "#domain/billing/default-prices.ts";
import { differenceBy } from "./prices.ts";
import { driftOf, stackOutcome } from "./tenant-outcome.ts";

const STACK = "urn:pulumi:s::tenantry::pulumi:pulumi:Stack::tenantry-s";
const urn = (type: string, name: string) => `urn:pulumi:s::tenantry::${type}::${name}`;
const clientOf = (slug: string) => urn("tenantry:components:Client", slug);

function change(type: string, name: string, operation: string, more: Partial<ResourceChange> = {}): ResourceChange {
  return { operation, urn: urn(type, name), type, parent: STACK, paths: [], ...more };
}

const client = (slug: string, operation: string) => change("tenantry:components:Client", slug, operation);

function of(slug: string, kind: string, operation: string, more: Partial<ResourceChange> = {}): ResourceChange {
  const type = kind.includes(":") ? kind : `tenantry:index:${kind}`;
  const made = change(type, slug, operation, { parent: clientOf(slug), ...more });
  return { ...made, urn: urn(`tenantry:components:Client$${type}`, made.urn.split("::").at(-1) ?? "") };
}

const row = (gateway: string, pool: string | null) => ({ ai_gateway_id: gateway, ai_gateway_pool_id: pool });

const outcome = (...changes: ResourceChange[]) =>
  stackOutcome(changes, {
    difference: differenceBy(DEFAULT_PRICES, "2026-12-01"),
    backsUp: true,
    backsUpRemoved: false,
  });

test("groups resources by tenant, and shared ones separately", () => {
  const { tenants, others } = outcome(
    change("pulumi:pulumi:Stack", "tenantry-s", "update", { parent: "" }),
    change("pulumi:providers:tenantry", "tenantry", "create"),
    change("tenantry:index:DatabaseRecord", "globex", "create"),
    client("a", "same"),
    of("a", "ContainerApplication", "update", { paths: ["image"] }),
    of("a", "NamespacedScript", "update", { paths: ["bindings"] }),
    client("b", "same"),
    of("b", "ContainerApplication", "update", { paths: ["takeOver"] }),
    client("c", "same"),
    of("c", "NamespacedScript", "same"),
  );
  expect(others).toEqual({ made: 1, changed: 0, replaced: 0, removed: 0 });
  expect(tenants).toMatchObject([
    { slug: "a", fate: "changed", resources: { changed: 2 }, containerEnds: true, backedUpFirst: true },
    { slug: "b", fate: "changed", resources: { changed: 1 }, containerEnds: false, backedUpFirst: false },
    { slug: "c", fate: "unchanged", resources: { changed: 0 } },
  ]);
});

test("counts a replacement once, and a replaced container as its end", () => {
  const { tenants } = outcome(
    client("a", "same"),
    ...["create-replacement", "replace", "delete-replaced"].map((operation) =>
      of("a", "ContainerApplication", operation),
    ),
  );
  expect(tenants).toMatchObject([
    { fate: "replaced", resources: { made: 0, replaced: 1, removed: 0 }, containerEnds: true, backedUpFirst: true },
  ]);
});

test("reports a tenant as created when its last resource is created after a killed run", () => {
  const { tenants } = outcome(
    client("a", "same"),
    of("a", "DatabaseRecord", "same", { before: { billing_plan: "pro" }, after: { billing_plan: "pro" } }),
    of("a", "RemovalCheck", "create"),
  );
  expect(tenants).toMatchObject([
    { fate: "made", plan: { before: null, after: "pro" }, monthlyDifference: 99_000_000 },
  ]);
});

test("distinguishes dedicated, pooled and external gateways", () => {
  const { tenants } = outcome(
    client("own", "create"),
    of("own", "DatabaseRecord", "create", { after: row("tenantry-own", null) }),
    of("own", "tenantry:components:AiGateway", "create", {
      urn: urn("tenantry:components:AiGateway", "tenantry-own"),
    }),
    client("pooled", "same"),
    of("pooled", "DatabaseRecord", "update", { before: row("theirs", null), after: row("pool-a", "1") }),
    client("gone", "delete"),
    of("gone", "DatabaseRecord", "delete", { before: { ...row("theirs", null), billing_plan: "basic" } }),
    of("gone", "ContainerApplication", "delete"),
  );
  expect(tenants.map(({ aiGateway }) => aiGateway)).toEqual([
    { before: null, after: "tenantry-own", kind: "dedicated" },
    { before: "theirs", after: "pool-a", kind: "pooled" },
    { before: "theirs", after: null, kind: "external" },
  ]);
  // Outside production its bucket goes with it.
  expect(tenants[2]).toMatchObject({ fate: "removed", containerEnds: true, backedUpFirst: false });
});

test("reports drift of resources, but not of the engine's own", () => {
  const drift = driftOf([
    client("a", "same"),
    of("a", "cloudflare:index/aiGateway:AiGateway", "update", { paths: ["logpush"] }),
    of("a", "cloudflare:index/r2Bucket:R2Bucket", "delete"),
    of("a", "NamespacedScript", "same"),
    change("pulumi:pulumi:Stack", "tenantry-s", "update", { parent: "" }),
  ]);
  expect(drift).toEqual([
    { tenant: "a", type: "AiGateway", name: "a", what: "changed", paths: ["logpush"] },
    { tenant: "a", type: "R2Bucket", name: "a", what: "gone", paths: [] },
  ]);
});
