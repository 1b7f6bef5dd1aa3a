import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SCHEMA_FILE, settingsSchema } from "./schema.ts";

test("is the committed schema; run npm run settings:schema after changing the settings", () => {
  expect(readFileSync(SCHEMA_FILE, "utf8")).toBe(settingsSchema());
});

test("describes every setting", () => {
  const { properties } = JSON.parse(settingsSchema()).properties.config;
  expect(Object.keys(properties)).toContain("tenantry:clients");
  expect(properties["tenantry:clients"].items.properties.plan.enum).toEqual(["free", "basic", "pro", "enterprise"]);
});
