import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CreditPool, creditPermits, creditStates, creditStep } from "./credit-state.ts";

const at = new Date("2026-11-23T12:00:00Z");
const later = (days: number) => new Date(at.getTime() + days * 86_400_000);
const pool = (values: Partial<CreditPool>): CreditPool => ({
  prepaid: true,
  balanceMicros: 0n,
  warnBelowMicros: 10n,
  state: "ok",
  deadline: undefined,
  deleteWhenExhausted: false,
  backedUp: false,
  deletionRequested: false,
  ...values,
});

test.each([
  ["ok", 10n, undefined],
  ["ok", 9n, { to: "warn", deadline: undefined }],
  ["ok", 0n, { to: "grace", deadline: later(7) }],
  ["warn", 9n, undefined],
  ["warn", 10n, { to: "ok", deadline: undefined }],
  ["warn", -1n, { to: "grace", deadline: later(7) }],
] as const)("%s with %s left: %o", (state, balanceMicros, step) => {
  expect(creditStep(pool({ state, balanceMicros }), at)).toEqual(step);
});

describe("without credit", () => {
  test.each([
    ["grace", { to: "frozen", deadline: later(30) }],
    ["frozen", { to: "final_backup", deadline: later(7) }],
  ] as const)("%s continues at its deadline and not before", (state, step) => {
    expect(creditStep(pool({ state, deadline: later(0.001) }), at)).toBeUndefined();
    expect(creditStep(pool({ state, deadline: at }), at)).toEqual(step);
  });

  test("deletes nothing without the setting and a final backup", () => {
    const over = pool({ state: "final_backup", deadline: at });
    expect(creditStep(over, later(1000))).toBeUndefined();
    expect(creditStep({ ...over, backedUp: true }, later(1000))).toBeUndefined();
    expect(creditStep({ ...over, deleteWhenExhausted: true }, later(1000))).toBeUndefined();
    expect(creditStep({ ...over, deleteWhenExhausted: true, backedUp: true }, at)).toEqual({
      to: "deletion_due",
      deadline: later(14),
    });
  });

  test("requests a deletion once, at its deadline, and cancels it with the setting", () => {
    const due = pool({ state: "deletion_due", deadline: at, deleteWhenExhausted: true, backedUp: true });
    expect(creditStep(due, later(-1))).toBeUndefined();
    expect(creditStep(due, at)).toBe("delete");
    expect(creditStep({ ...due, deletionRequested: true }, at)).toBeUndefined();
    expect(creditStep({ ...due, deleteWhenExhausted: false }, at)).toEqual({ to: "final_backup", deadline: later(7) });
  });

  test("never stops a client that is billed by invoice", () => {
    expect(creditStep(pool({ prepaid: false, balanceMicros: -1_000_000n }), at)).toBeUndefined();
  });
});

test("returns from every state after a top-up until the deletion is requested", () => {
  for (const state of creditStates.filter((one) => one !== "ok")) {
    expect(creditStep(pool({ state, balanceMicros: 10n, deadline: at }), at)).toMatchObject({ to: "ok" });
  }
  const asked = pool({ state: "deletion_due", balanceMicros: 10n, deadline: at, deletionRequested: true });
  expect(creditStep(asked, at)).toBeUndefined();
});

test("ends every sequence of steps without skipping a state", () => {
  const arbitrary = fc.record({
    prepaid: fc.boolean(),
    balanceMicros: fc.bigInt(-20n, 20n),
    warnBelowMicros: fc.bigInt(0n, 20n),
    state: fc.constantFrom(...creditStates),
    deleteWhenExhausted: fc.boolean(),
    backedUp: fc.boolean(),
    deletionRequested: fc.boolean(),
  });
  fc.assert(
    fc.property(arbitrary, (values) => {
      const timed = values.state !== "ok" && values.state !== "warn";
      let now: CreditPool = { ...values, deadline: timed ? at : undefined };
      for (let steps = 0; ; steps++) {
        expect(steps).toBeLessThan(3);
        const step = creditStep(now, at);
        if (step === undefined) break;
        if (step === "delete") now = { ...now, deletionRequested: true };
        else {
          const [from, to] = [creditStates.indexOf(now.state), creditStates.indexOf(step.to)];
          if (to > from) expect(to - from === 1 || step.to === "grace" || step.to === "warn").toBe(true);
          now = { ...now, state: step.to, deadline: step.deadline };
        }
      }
    }),
  );
});

test("permits a frozen tenant no traffic, but always the export of its data", () => {
  expect(creditStates.filter((state) => creditPermits(state).traffic)).toEqual(["ok", "warn", "grace"]);
  for (const state of creditStates) expect(creditPermits(state).exportOfData).toBe(true);
});
