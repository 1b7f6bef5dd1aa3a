import { expect, test } from "vitest";
import { fieldLabel, fieldValue } from "./field-texts.ts";

test("names fields in plain words", () => {
  const names = ["total_micros", "ai_spend_cap_micros", "client_user_id", "frozen_for", "status"].map(fieldLabel);
  expect(names).toEqual(["Total", "Spending cap", "User", "Frozen because of", "Status"]);
});

test("shows amounts as money, times, days, roles and choices in words", () => {
  expect(fieldValue("total_micros", 55_000_000)).toMatch(/55\.00/);
  expect(fieldValue("period_start", "2026-10-01")).toMatch(/October/);
  expect(fieldValue("delete_after", "2026-11-29T08:00:00+00:00")).not.toContain("T08");
  expect(fieldValue("role", "BASE_USER")).toBe("Chat only");
  expect(fieldValue("maintenance_days", [1, 7])).toBe("Mon, Sun");
  expect(fieldValue("is_pinned", false)).toBe("No");
  expect(fieldValue("ai_spend_cap_micros", null)).toBeUndefined();
  expect(fieldValue("status", "a later status")).toBe("a later status");
});
