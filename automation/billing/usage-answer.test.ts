import { expect, test } from "vitest";
import { parseUsageAnswer } from "./usage-answer.ts";

test("quantities come as numbers, and large integers as texts", () => {
  const data = [
    { tenant: "acme", metric: "container_uptime", quantity: 3599.5 },
    { tenant: "acme", metric: "object_storage_bandwidth", quantity: "12000000000" },
  ];
  expect(parseUsageAnswer({ meta: [], data, rows: 2 })).toEqual([data[0], { ...data[1], quantity: 12_000_000_000 }]);
});

test.each([
  ["no answer", {}],
  ["an unknown metric", { data: [{ tenant: "acme", metric: "heartbeats", quantity: 1 }] }],
  ["a negative quantity", { data: [{ tenant: "acme", metric: "ai_queries", quantity: -1 }] }],
  ["no number", { data: [{ tenant: "acme", metric: "ai_queries", quantity: "nan" }] }],
  [
    "one bad row among good ones",
    { data: [{ tenant: "acme", metric: "ai_queries", quantity: 1 }, { tenant: "acme" }] },
  ],
])("%s is refused as a whole", (_, answer) => {
  expect(() => parseUsageAnswer(answer)).toThrow();
});
