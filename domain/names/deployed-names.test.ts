import { expect, test } from "vitest";
import { slugOfName, tenantNames } from "./deployed-names.ts";

test.each(["production", "staging", "development"] as const)(
  "finds the tenant in the names of its resources in %s",
  (environment) => {
    for (const [which, name] of Object.entries(tenantNames("acme", environment))) {
      const found = (["production", "staging", "development"] as const).map((one) =>
        slugOfName(which as Parameters<typeof slugOfName>[0], name, one),
      );
      expect(found).toEqual(
        (["production", "staging", "development"] as const).map((one) => (one === environment ? "acme" : undefined)),
      );
    }
  },
);

test.each([
  ["foreign", "backups-acme"],
  ["nobody's", "tenantry-backups-"],
  ["no slug's", "tenantry-backups-Acme Corp"],
  // It may be another environment's, whose suffix was cut off.
  ["cut", tenantNames("a".repeat(59), "development").backupBucket],
])("finds no tenant in a name that is %s", (_what, name) => {
  expect(slugOfName("backupBucket", name, "production")).toBeUndefined();
});
