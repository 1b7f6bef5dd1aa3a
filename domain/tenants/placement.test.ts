import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Candidate, placementOf } from "./placement.ts";

const full = { faults: ["the account is full"] };
const at = (stack: string, more: Partial<Candidate> = {}): Candidate => ({ stack, holds: [], faults: [], ...more });

const candidates = fc.uniqueArray(
  fc.record({
    stack: fc.constantFrom("a", "b", "c", "d", "e"),
    holds: fc.subarray(["acme", "lab"]),
    faults: fc.subarray(["no groups left", "no AI gateway"]),
  }),
  { selector: ({ stack }) => stack, minLength: 1 },
);

describe("placementOf", () => {
  test("takes the first platform with room, and reports only those before it", () => {
    const [a, b, c] = [at("a", full), at("b"), at("c", full)];
    expect(placementOf([a, b, c])).toEqual({ kind: "new", at: b, full: [a] });
    expect(placementOf([b, a])).toEqual({ kind: "new", at: b, full: [] });
  });

  test("stays on the platform that has rows of the stack, regardless of room elsewhere", () => {
    const there = at("b", { holds: ["acme"] });
    expect(placementOf([at("a"), there, at("c")])).toEqual({ kind: "stays", at: there });
  });

  test("refuses further tenants on a full platform, with a separate stack as the remedy", () => {
    expect(placementOf([at("a"), at("b", { holds: ["acme", "lab"], ...full })])).toEqual({
      kind: "refused",
      heading: expect.stringContaining(
        "b has acme, lab; declare a tenant that does not fit there in a stack of its own:",
      ),
      faults: full.faults,
    });
  });

  test("refuses a stack on two platforms, naming both", () => {
    const split = placementOf([at("a", { holds: ["acme"] }), at("b"), at("c", { holds: ["lab"], ...full })]);
    expect(split).toMatchObject({ kind: "refused", faults: ["a has acme", "c has lab"] });
  });

  test("refuses with each platform's reasons when none has room", () => {
    expect(placementOf([at("a", full), at("b", { faults: ["no groups left", "no AI gateway"] })])).toEqual({
      kind: "refused",
      heading: expect.stringContaining("name more of them in tenantry:platformStack"),
      faults: ["a: the account is full", "b: no groups left", "b: no AI gateway"],
    });
  });

  test("places all tenants or refuses, never without room, and repeats an existing placement", () => {
    fc.assert(
      fc.property(candidates, fc.nat(), (given, change) => {
        const placement = placementOf(given);
        const holding = given.filter(({ holds }) => holds.length > 0);
        if (placement.kind === "refused") {
          expect(placement.faults.length).toBeGreaterThan(0);
          expect(holding.length > 1 || (holding[0] ?? given[0])?.faults.length).toBeTruthy();
          return;
        }
        const { stack, faults } = placement.at;
        expect(faults).toEqual([]);
        expect(holding.every((one) => one === placement.at)).toBe(true);
        // Room comes and goes at the others.
        const later = given.map((one, index) =>
          one.stack === stack ? { ...one, holds: ["acme"] } : { ...one, faults: (change >> index) % 2 ? [] : ["full"] },
        );
        expect(placementOf(later)).toMatchObject({ kind: "stays", at: { stack } });
      }),
    );
  });
});
