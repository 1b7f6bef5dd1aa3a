import { expect, test } from "vitest";
import { dearestPrice, type Price, PriceMissing, planOn, priceOf } from "./price-list.ts";

const price = (validFrom: string, micros: bigint): Price => ({
  plan: "pro",
  metric: "ai_queries",
  validFrom,
  micros,
  perUnits: 1n,
});

test("applies a price from its day until the next price, in any order", () => {
  const prices = [price("2026-03-01", 3n), price("2026-01-01", 1n), price("2026-02-01", 2n)];
  const on = (day: string) => priceOf(prices, "pro", "ai_queries", day).micros;
  expect([on("2026-01-01"), on("2026-01-31"), on("2026-02-01"), on("2030-01-01")]).toEqual([1n, 1n, 2n, 3n]);
  expect(() => on("2025-12-31")).toThrow(PriceMissing);
  expect(() => priceOf(prices, "basic", "ai_queries", "2026-02-01")).toThrow(
    "no price of ai_queries on plan basic for 2026-02-01",
  );
});

test("uses the latest plan of a day, and bills nothing before the first", () => {
  const first = { validFrom: "2026-01-10", plan: "basic", billed: true } as const;
  const second = { validFrom: "2026-01-20", plan: "pro", billed: false } as const;
  expect(planOn([first, second], "2026-01-19")).toEqual(first);
  expect(planOn([first, second], "2026-01-20")).toEqual(second);
  expect(planOn([first, second], "2026-01-09")).toEqual({ ...first, billed: false });
});

test("uses the highest price of several plans", () => {
  const prices = [
    { ...price("2026-01-01", 5n), perUnits: 10n },
    { ...price("2026-01-01", 1n), plan: "basic" as const },
    { ...price("2026-01-01", 0n), plan: "free" as const },
  ];
  const among = (...plans: ["pro" | "basic" | "free", ...("pro" | "basic" | "free")[]]) =>
    dearestPrice(prices, plans, "ai_queries", "2026-01-02").plan;
  expect([among("free", "pro"), among("pro", "basic", "free"), among("free")]).toEqual(["pro", "basic", "free"]);
});
