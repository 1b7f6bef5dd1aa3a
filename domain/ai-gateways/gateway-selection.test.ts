import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Environment, environments } from "../environment.ts";
import { dedicatedGatewayId, type GatewayRequest, type PoolEntry, planGateways } from "./gateway-selection.ts";

const entry = (gatewayId: string, maxInstances: number, more: Partial<PoolEntry> = {}): PoolEntry => ({
  gatewayId,
  maxInstances,
  enabled: true,
  bound: 0,
  ...more,
});

/** A pool, and tenants of which some bind its entries already, with counts that agree. */
const situation = fc
  .record({
    environment: fc.constantFrom<Environment>(...environments),
    createDedicated: fc.boolean(),
    pool: fc.uniqueArray(
      fc.record({
        gatewayId: fc.constantFrom("a", "b", "c", "d"),
        maxInstances: fc.integer({ min: 0, max: 4 }),
        enabled: fc.boolean(),
        environment: fc.option(fc.constantFrom<Environment>(...environments), { nil: undefined }),
        elsewhere: fc.integer({ min: 0, max: 2 }),
      }),
      { selector: ({ gatewayId }) => gatewayId },
    ),
    tenants: fc.uniqueArray(
      fc.record({
        slug: fc.integer({ min: 0, max: 30 }).map((n) => `t${n}`),
        explicit: fc.option(fc.constantFrom("a", "b", "outside"), { nil: undefined }),
        existing: fc.option(fc.constantFrom("a", "b", "c", "d", "own"), { nil: undefined }),
      }),
      { selector: ({ slug }) => slug, maxLength: 12 },
    ),
  })
  .map(({ environment, createDedicated, pool, tenants }) => {
    const requests: GatewayRequest[] = tenants.map(({ slug, explicit, existing }) => ({
      slug,
      explicit,
      existing:
        existing === undefined
          ? undefined
          : existing === "own"
            ? { gatewayId: dedicatedGatewayId(slug, environment), pooled: false }
            : { gatewayId: existing, pooled: true },
    }));
    const entries: PoolEntry[] = pool.map(({ elsewhere, ...rest }) => {
      const mine = requests.filter(({ existing }) => existing?.pooled && existing.gatewayId === rest.gatewayId).length;
      return { ...rest, bound: elsewhere + mine, maxInstances: Math.max(rest.maxInstances, elsewhere + mine) };
    });
    return { environment, createDedicated, pool: entries, requests };
  });

describe("planGateways", () => {
  test("fills the least used pool entry first, then creates a dedicated gateway", () => {
    const requests = ["w", "x", "y", "z"].map((slug) => ({ slug }));
    const { choices } = planGateways(requests, [entry("a", 2), entry("b", 1)], "production", true);
    expect([...choices.values()].map(({ kind, gatewayId }) => `${kind} ${gatewayId}`)).toEqual([
      "pooled a",
      "pooled b",
      "pooled a",
      "dedicated tenantry-z",
    ]);
  });

  test("refuses with no_ai_gateway_capacity when dedicated gateways are disabled", () => {
    const { faults } = planGateways([{ slug: "w" }], [], "production", false);
    expect(faults).toMatchObject([{ slug: "w", code: "no_ai_gateway_capacity" }]);
  });

  test("gives the slot of a moving tenant to another tenant in the same plan", () => {
    const requests = [
      { slug: "leaves", explicit: "b", existing: { gatewayId: "a", pooled: true } },
      { slug: "enters", explicit: "a" },
    ];
    const { choices, faults } = planGateways(
      requests,
      [entry("a", 1, { bound: 1 }), entry("b", 1)],
      "production",
      true,
    );
    expect(faults).toEqual([]);
    expect(choices.get("enters")).toEqual({ kind: "pooled", gatewayId: "a" });
  });

  test("never exceeds a limit, decides every tenant once, keeps existing bindings, and is deterministic", () => {
    fc.assert(
      fc.property(situation, ({ environment, createDedicated, pool, requests }) => {
        const plan = planGateways(requests, pool, environment, createDedicated);
        expect(plan).toEqual(planGateways(requests, pool, environment, createDedicated));
        expect(plan.choices.size + plan.faults.length).toBe(requests.length);
        for (const { gatewayId, maxInstances, bound, enabled, environment: only } of pool) {
          const takers = requests.filter(({ slug }) => plan.choices.get(slug)?.gatewayId === gatewayId);
          const had = requests.filter(({ existing }) => existing?.pooled && existing.gatewayId === gatewayId);
          const stayed = takers.filter((taker) => had.includes(taker));
          // A tenant that is refused its wish keeps its slot in the database until it is settled.
          expect(bound - had.length + takers.length).toBeLessThanOrEqual(maxInstances);
          if (!enabled || (only !== undefined && only !== environment)) expect(takers).toEqual(stayed);
        }
        for (const { slug, explicit, existing } of requests) {
          const choice = plan.choices.get(slug);
          if (explicit !== undefined && choice !== undefined) expect(choice.gatewayId).toBe(explicit);
          const kept =
            existing !== undefined && (!existing.pooled || pool.some((e) => e.gatewayId === existing.gatewayId));
          if (explicit === undefined && kept) expect(choice?.gatewayId).toBe(existing.gatewayId);
          if (choice?.kind === "dedicated") expect(choice.gatewayId).toBe(dedicatedGatewayId(slug, environment));
        }
        const room = pool.some((e) => {
          const takers = [...plan.choices.values()].filter((choice) => choice.gatewayId === e.gatewayId).length;
          const had = requests.filter(({ existing }) => existing?.pooled && existing.gatewayId === e.gatewayId).length;
          const fits = e.enabled && (e.environment === undefined || e.environment === environment);
          return fits && e.bound - had + takers < e.maxInstances;
        });
        const fresh = requests.filter(({ explicit, existing }) => explicit === undefined && existing === undefined);
        if (room) for (const { slug } of fresh) expect(plan.choices.get(slug)?.kind).toBe("pooled");
      }),
      { numRuns: 500 },
    );
  });
});
