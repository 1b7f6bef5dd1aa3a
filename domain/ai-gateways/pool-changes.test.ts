import { expect, test } from "vitest";
import type { GatewayChoice, PoolEntry } from "./gateway-selection.ts";
import { type PoolChange, poolFaults } from "./pool-changes.ts";

const entry = (gatewayId: string, maxInstances: number, bound = 0): PoolEntry => ({
  gatewayId,
  enabled: true,
  maxInstances,
  bound,
});
const pooled = (gatewayId: string): GatewayChoice => ({ kind: "pooled", gatewayId });
const on = (gatewayId: string, ...slugs: string[]) => slugs.map((slug) => [slug, { gatewayId, pooled: true }] as const);

const faults = (change: Partial<PoolChange>) =>
  poolFaults({
    before: [entry("a", 5, 2)],
    after: [],
    bindings: new Map(on("a", "acme", "elsewhere")),
    choices: new Map(),
    removed: new Set(),
    ...change,
  });

test("removes an entry without bound tenants", () => {
  expect(faults({ before: [entry("a", 5)], bindings: new Map() })).toEqual([]);
  const choices = new Map([["acme", pooled("b")]]);
  expect(faults({ choices, removed: new Set(["elsewhere"]) })).toEqual([]);
});

test("refuses to remove an entry that a tenant binds, also of another stack or environment", () => {
  expect(faults({ choices: new Map([["acme", pooled("b")]]) })).toEqual([
    "a is still bound by elsewhere; give them another gateway before it is removed",
  ]);
  const chosen = new Map<string, GatewayChoice>([["acme", { kind: "external", gatewayId: "a" }]]);
  expect(faults({ choices: chosen, removed: new Set(["elsewhere"]) })).toEqual([
    "a is still bound by acme; give them another gateway before it is removed",
  ]);
  expect(faults({ before: [entry("a", 5, 3)], removed: new Set(["acme", "elsewhere"]) })).toEqual([
    "a is still bound by 1 of other environments; give them another gateway before it is removed",
  ]);
});

test("refuses a capacity below the bound tenants after the run", () => {
  expect(faults({ after: [entry("a", 2)] })).toEqual([]);
  expect(faults({ after: [entry("a", 1)] })).toEqual([
    "a has a capacity of 1, and is bound by 2 (acme, elsewhere); raise it, or move them",
  ]);
  expect(faults({ after: [entry("a", 1)], choices: new Map([["acme", pooled("b")]]) })).toEqual([]);
  const come = new Map([["fresh", pooled("a")]]);
  expect(faults({ after: [entry("a", 2)], choices: come })).toEqual([
    "a has a capacity of 2, and is bound by 3 (acme, elsewhere, fresh); raise it, or move them",
  ]);
});
