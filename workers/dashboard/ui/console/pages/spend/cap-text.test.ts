import { expect, test } from "vitest";
import { capText } from "./cap-text.ts";

test.each([
  [null, null, "No limit: your plan has none, and you set no cap."],
  [null, 200, "At most $200.00 in any 30 days: the limit of your plan. You set no cap of your own."],
  [80.5, null, "At most $80.50 in any 30 days: your own cap. Your plan has no limit."],
  [80, 200, "At most $80.00 in any 30 days: your own cap. Your plan permits $200.00."],
  [0, 200, "At most $0.00 in any 30 days: your own cap. Your plan permits $200.00."],
  [500, 200, "At most $200.00 in any 30 days: the limit of your plan. Your own cap of $500.00 is not lower."],
])("the cap %d and the plan's limit %d are stated together", (cap, maximum, text) => {
  const micros = (dollars: number | null) => (dollars === null ? null : dollars * 1_000_000);
  expect(capText({ cap_micros: micros(cap), maximum_micros: micros(maximum) })).toBe(text);
});
