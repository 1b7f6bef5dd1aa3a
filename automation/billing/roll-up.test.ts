import { expect, test } from "vitest";
import { usageRow } from "./roll-up.ts";

test("parses quantities, also large integers that are strings", () => {
  const row = { tenant: "acme", metric: "object_storage_bandwidth" };
  expect(usageRow.parse({ ...row, quantity: 3599.5 })).toEqual({ ...row, quantity: 3599.5 });
  expect(usageRow.parse({ ...row, quantity: "12000000000" })).toEqual({ ...row, quantity: 12_000_000_000 });
});

test.each([
  ["an unknown metric", { tenant: "acme", metric: "heartbeats", quantity: 1 }],
  ["a negative quantity", { tenant: "acme", metric: "ai_queries", quantity: -1 }],
  ["no number", { tenant: "acme", metric: "ai_queries", quantity: "nan" }],
  ["no tenant", { metric: "ai_queries", quantity: 1 }],
])("rejects %s", (_, row) => {
  expect(usageRow.safeParse(row).success).toBe(false);
});
