import { describe, expect, test } from "vitest";
import { MAX_MICROS } from "#domain/billing/money.ts";
import { creditEntry, creditPool, creditSettings, dayUsage, invoice, newPrice, priceList, topUp } from "./billing.ts";

const id = "8a1c6a3e-0f0e-4f5e-9d7b-3b8f1f0c7a11";
const at = "2026-11-23T12:00:00.000Z";

describe("a top-up", () => {
  test("has an amount in whole micro-units and a reference", () => {
    expect(topUp.parse({ amount_micros: 5_000_000, reference: " order-1 " })).toEqual({
      amount_micros: 5_000_000,
      reference: "order-1",
      note: "",
    });
    expect(topUp.parse({ amount_micros: Number(MAX_MICROS), reference: "r" }).amount_micros).toBe(9e15);
  });

  test.each([0, -1, 0.5, 9e15 + 2, "5", null])("is refused with the amount %o", (amount) => {
    expect(topUp.safeParse({ amount_micros: amount, reference: "r" }).success).toBe(false);
  });

  test("is refused with an unknown field, or without a reference", () => {
    expect(topUp.safeParse({ amount_micros: 1, reference: "r", amount: 5 }).success).toBe(false);
    expect(topUp.safeParse({ amount_micros: 1, reference: " " }).success).toBe(false);
    expect(creditSettings.safeParse({ state: "ok" }).success).toBe(false);
  });
});

test("represents money as integers, signed where negative amounts are valid", () => {
  const pool = {
    client_id: id,
    purchased_micros: 1,
    consumed_micros: 3,
    balance_micros: -2,
    prepaid: true,
    warn_below_micros: 10_000_000,
    delete_when_exhausted: false,
    state: "grace",
    state_since: at,
    state_deadline: at,
    deletion_requested: false,
    version: 1,
  };
  expect(creditPool.parse(pool)).toEqual(pool);
  expect(creditPool.safeParse({ ...pool, consumed_micros: -1 }).success).toBe(false);
  const entry = {
    id,
    kind: "correction",
    amount_micros: -5,
    day: "2026-11-23",
    reference: null,
    note: "",
    booked_at: at,
  };
  expect(creditEntry.parse(entry)).toEqual(entry);
  expect(creditEntry.safeParse({ ...entry, amount_micros: 0.1 }).success).toBe(false);
  const used = { day: "2026-11-23", metric: "ai_spend", quantity: 5 };
  expect(dayUsage.parse(used)).toEqual(used);
  expect(dayUsage.safeParse({ ...used, metric: "container_heartbeat" }).success).toBe(false);
});

test("includes an invoice's lines, and a price list's prices", () => {
  const line = {
    kind: "credit",
    description: "Paid from credit",
    plan: null,
    metric: null,
    quantity: 1,
    unit_price_micros: -5,
    per_units: 1,
    amount_micros: -5,
  };
  const body = {
    id,
    client_id: id,
    period_start: "2026-11-01",
    period_end: "2026-12-01",
    currency: "USD",
    status: "issued",
    total_micros: -5,
    created_at: at,
    issued_at: at,
    ended_at: null,
    lines: [line],
  };
  expect(invoice.parse(body)).toEqual(body);
  const price = { plan: "pro", metric: "flat_fee", per_units: 1, micros: 99_000_000, valid_from: "2026-12-01" };
  expect(newPrice.parse(price)).toEqual(price);
  expect(priceList.parse({ prices: [{ id, unit: "months", ...price }] }).prices).toHaveLength(1);
});
