import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { DEFAULT_PRICES } from "#domain/billing/default-prices.ts";
import { differenceBy, readPrices } from "./prices.ts";

test("returns the monthly difference between plans, for new and removed tenants", () => {
  const difference = differenceBy(DEFAULT_PRICES, "2026-12-01");
  expect([
    difference("basic", "pro"),
    difference("pro", "free"),
    difference(null, "enterprise"),
    difference("basic", null),
    difference("pro", "pro"),
  ]).toEqual([70_000_000, -99_000_000, 499_000_000, -29_000_000, 0]);
});

test("uses the prices of the day from the dashboard's response", () => {
  const directory = mkdtempSync(join(tmpdir(), "tenantry-prices-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "prices.json");
  const price = (plan: string, micros: number, valid_from: string) => ({
    id: "00000000-0000-4000-8000-000000000001",
    plan,
    metric: "flat_fee",
    unit: "months",
    per_units: 1,
    micros,
    valid_from,
  });
  const prices = [price("free", 0, "2000-01-01"), price("pro", 10, "2000-01-01"), price("pro", 25, "2027-01-01")];
  writeFileSync(file, JSON.stringify({ prices }));
  expect(differenceBy(readPrices(file), "2026-12-31")("free", "pro")).toBe(10);
  expect(differenceBy(readPrices(file), "2027-01-01")("free", "pro")).toBe(25);
  expect(() => readPrices(join(directory, "none"))).toThrow("GET /prices");
});
