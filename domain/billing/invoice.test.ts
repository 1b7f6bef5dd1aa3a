import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { groupsBy } from "../groups.ts";
import { billingMonth } from "./billing-month.ts";
import { type Tariff, usageCharge } from "./day-charge.ts";
import { type Balance, invoiceLines, uncoveredAmount } from "./invoice.ts";
import { totalAmount } from "./money.ts";
import { planPrice, plansAfter } from "./plan-change.ts";
import type { Price } from "./price-list.ts";
import { type DayUsage, usageMetrics } from "./usage-metric.ts";

const month = billingMonth("2026-11");
const NOTHING: Balance = { consumedMicros: 0n, chargedMicros: 0n, creditMicros: 0n };

const price = (
  plan: Price["plan"],
  metric: Price["metric"],
  micros: bigint,
  perUnits = 1n,
  from = "2000-01-01",
): Price => ({
  plan,
  metric,
  micros,
  perUnits,
  validFrom: from,
});
const prices = [
  price("basic", "flat_fee", 29_000_000n),
  price("pro", "flat_fee", 99_000_000n),
  ...usageMetrics.flatMap((metric) => [price("basic", metric, 3n, 7n), price("pro", metric, 2n, 7n)]),
];
const pro: Tariff = { prices, plans: [{ validFrom: "2026-01-01", plan: "pro", billed: true }] };
const drafted: Tariff = { prices, plans: [{ validFrom: "2026-01-01", plan: "pro", billed: false }] };

const amounts = (lines: ReturnType<typeof invoiceLines>) => lines.map(({ kind, amountMicros }) => [kind, amountMicros]);
const sum = (lines: ReturnType<typeof invoiceLines>) => totalAmount(lines.map(({ amountMicros }) => amountMicros));

describe("the flat fee", () => {
  test("is the monthly price for a whole month", () => {
    expect(invoiceLines(month, pro, [], NOTHING)).toEqual([
      {
        kind: "flat_fee",
        description: "Plan pro, 30 of 30 days",
        plan: "pro",
        metric: null,
        quantity: 30n,
        unitPriceMicros: 99_000_000n,
        perUnits: 30n,
        amountMicros: 99_000_000n,
      },
    ]);
  });

  test("is charged by day, from the client's first day and by the plan of each day", () => {
    const plans: Tariff["plans"] = [
      { validFrom: "2026-11-11", plan: "basic", billed: true },
      { validFrom: "2026-11-21", plan: "pro", billed: true },
    ];
    const lines = invoiceLines(month, { prices, plans }, [], NOTHING);
    expect(lines.map(({ plan, quantity, amountMicros }) => [plan, quantity, amountMicros])).toEqual([
      ["basic", 10n, 9_666_667n],
      ["pro", 10n, 33_000_000n],
    ]);
  });

  test("is the highest of the day's plans, also when the day ends as a draft", () => {
    const plans: Tariff["plans"] = [
      { validFrom: "2026-11-01", plan: "basic", billed: false },
      { validFrom: "2026-11-29", plan: "basic", billed: true, also: ["pro"] },
      { validFrom: "2026-11-30", plan: "basic", billed: false, also: ["basic"] },
    ];
    const lines = invoiceLines(month, { prices, plans }, [], NOTHING);
    expect(lines.map(({ plan, quantity }) => [plan, quantity])).toEqual([
      ["pro", 1n],
      ["basic", 1n],
    ]);
  });

  test("is not charged to a draft, and changes on the first day of a new price", () => {
    expect(invoiceLines(month, drafted, [], NOTHING)).toEqual([]);
    const raised = { ...pro, prices: [...prices, price("pro", "flat_fee", 129_000_000n, 1n, "2026-11-16")] };
    expect(amounts(invoiceLines(month, raised, [], NOTHING))).toEqual([
      ["flat_fee", 49_500_000n],
      ["flat_fee", 64_500_000n],
    ]);
  });
});

const usage = fc.uniqueArray(
  fc.record({
    day: fc.constantFrom(...month.days),
    metric: fc.constantFrom(...usageMetrics),
    quantity: fc.bigInt(0n, 10n ** 12n),
  }),
  { selector: ({ day, metric }: DayUsage) => `${day} ${metric}`, maxLength: 60 },
);
const plans: fc.Arbitrary<Tariff["plans"]> = fc
  .uniqueArray(
    fc.record({
      validFrom: fc.constantFrom(...month.days),
      plan: fc.constantFrom("basic" as const, "pro" as const),
      billed: fc.boolean(),
    }),
    { selector: ({ validFrom }) => validFrom, maxLength: 4 },
  )
  .map((later) => [
    { validFrom: "2026-01-01", plan: "pro" as const, billed: true },
    ...later.toSorted((a, b) => (a.validFrom < b.validFrom ? -1 : 1)),
  ]);

describe("for any usage", () => {
  const micros = fc.bigInt(0n, 10n ** 13n);

  test("does not depend on the order of days, and charges usage like the ledger", () => {
    fc.assert(
      fc.property(usage, plans, (used, spans) => {
        const tariff = { prices, plans: spans };
        const booked = [...groupsBy(used, ({ day }) => day).values()].map((day) => usageCharge(tariff, day));
        const balance = { ...NOTHING, consumedMicros: totalAmount(booked) };
        const lines = invoiceLines(month, tariff, used, balance);
        expect(invoiceLines(month, tariff, used.toReversed(), balance)).toEqual(lines);
        expect(uncoveredAmount(lines)).toBe(totalAmount(booked));
        expect(lines.some(({ kind }) => kind === "carried")).toBe(false);
      }),
    );
  });

  test("charges all consumption of the ledger once, and pays at most the available credit", () => {
    fc.assert(
      fc.property(usage, micros, micros, micros, (used, before, chargedMicros, creditMicros) => {
        const consumedMicros = usageCharge(drafted, used) + before;
        const lines = invoiceLines(month, drafted, used, { consumedMicros, chargedMicros, creditMicros });
        const credit = lines.find(({ kind }) => kind === "credit")?.amountMicros ?? 0n;
        expect(sum(lines) - credit).toBe(consumedMicros - chargedMicros);
        expect(credit <= 0n).toBe(true);
        if (credit < 0n) expect(-credit <= creditMicros - chargedMicros).toBe(true);
      }),
    );
  });

  test("balances purchases, payments and usage over months", () => {
    const monthly = fc.array(fc.record({ used: micros, bought: micros, pays: fc.boolean() }), { maxLength: 8 });
    fc.assert(
      fc.property(monthly, (months) => {
        let [consumed, charged, credit, open] = [0n, 0n, 0n, 0n];
        for (const { used, bought, pays } of months) {
          consumed += used;
          credit += bought;
          const balance = { consumedMicros: consumed, chargedMicros: charged, creditMicros: credit };
          const lines = invoiceLines(month, drafted, [], balance);
          charged += consumed - charged;
          if (pays) credit += uncoveredAmount(lines);
          else open += uncoveredAmount(lines);
        }
        // What is not paid yet, and no more, is what the ledger lacks.
        expect(credit + open >= consumed).toBe(true);
        expect(open >= 0n).toBe(true);
      }),
    );
  });
});

test("pays usage but not the flat fee from credit, and open amounts of earlier invoices once", () => {
  const used: DayUsage[] = [{ day: "2026-11-02", metric: "ai_queries", quantity: 350n }];
  const of = (balance: Balance) => amounts(invoiceLines(month, pro, used, balance)).slice(1);
  expect(of({ consumedMicros: 100n, chargedMicros: 0n, creditMicros: 500n })).toEqual([
    ["usage", 100n],
    ["credit", -100n],
  ]);
  // An earlier invoice asked for 20 that nobody has paid yet: they are its own, and a top-up of 100 has 80 left.
  expect(of({ consumedMicros: 120n, chargedMicros: 20n, creditMicros: 100n })).toEqual([
    ["usage", 100n],
    ["credit", -80n],
  ]);
  // A late point of an earlier month.
  expect(of({ consumedMicros: 125n, chargedMicros: 20n, creditMicros: 0n })).toEqual([
    ["usage", 100n],
    ["carried", 5n],
  ]);
});

describe("a change of the plan", () => {
  const today = "2026-11-16";
  const basic: Tariff = { prices, plans: [{ validFrom: "2026-01-01", plan: "basic", billed: true }] };

  test("costs the month what its invoice has after the change, today with the dearer plan", () => {
    const up = planPrice(month, basic, "pro", today);
    // 15 days of basic, and 15 of pro.
    expect(up).toEqual({ monthlyMicros: 99_000_000n, monthMicros: 14_500_000n + 49_500_000n });
    const down = planPrice(month, pro, "basic", today);
    expect(down).toEqual({ monthlyMicros: 29_000_000n, monthMicros: 52_800_000n + 13_533_333n });
    const after = plansAfter(basic.plans, "pro", today);
    expect(after.at(-1)).toEqual({ validFrom: today, plan: "pro", billed: true, also: ["basic"] });
  });

  test("keeps the earlier plans of today, and costs a draft client nothing", () => {
    const once = plansAfter(basic.plans, "pro", today);
    expect(plansAfter(once, "basic", today).at(-1)).toEqual({
      ...{ validFrom: today, plan: "basic", billed: true, also: ["basic", "pro"] },
    });
    expect(plansAfter(once, "pro", today)).toBe(once);
    expect(planPrice(month, drafted, "basic", today)?.monthMicros).toBe(0n);
    expect(planPrice(month, basic, "enterprise", today)).toBeUndefined();
  });
});
