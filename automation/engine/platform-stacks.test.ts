import { expect, test } from "vitest";
import { namedPlatform, onCopies, platformStackOf, platformStacksOf, refuseOtherPlatform } from "./platform-stacks.ts";
import type { ExportedState } from "./state/scratch-backend.ts";

const named = (platformStack: unknown) => ({ "tenantry:platformStack": platformStack, "tenantry:clients": [] });

const state = (...resources: [type: string, name: string][]): ExportedState => ({
  version: 3,
  deployment: {
    resources: resources.map(([type, name]) => ({ type, urn: `urn:pulumi:prod-acme::tenantry::${type}::${name}` })),
  },
});
const reference = ["pulumi:pulumi:StackReference", "organization/tenantry/a"] as [string, string];
const tenant = ["tenantry:components:Client", "acme"] as [string, string];

test("reads one stack, or several in order", () => {
  expect(platformStacksOf(named("prod"))).toEqual(["prod"]);
  expect(platformStacksOf(named(["prod", "tenantry/eu"]))).toEqual(["prod", "tenantry/eu"]);
  expect(platformStacksOf({})).toEqual([]);
});

test("renames platforms to their copies and keeps the form of the setting", () => {
  expect(onCopies(named("prod"))).toEqual(named("organization/tenantry/prod"));
  expect(onCopies(named(["prod", "acme/tenantry/eu"]))).toEqual(
    named(["organization/tenantry/prod", "organization/tenantry/eu"]),
  );
  expect(onCopies({})).toEqual({});
});

test("returns the name in the settings when they name several platforms", () => {
  expect(namedPlatform("organization/tenantry/eu", named(["prod", "acme/tenantry/eu"]))).toBe("acme/tenantry/eu");
  expect(namedPlatform("organization/tenantry/us", named(["prod", "eu"]))).toBeNull();
  expect(namedPlatform("organization/tenantry/prod", named("prod"))).toBeNull();
  expect(namedPlatform(undefined, named(["prod", "eu"]))).toBeNull();
});

test("refuses only runs that would change the tenants' platform", () => {
  const deployed = state(reference, tenant);
  expect(platformStackOf(deployed)).toBe("organization/tenantry/a");
  const run = (platformStack: unknown, of: ExportedState | undefined = deployed) =>
    refuseOtherPlatform("prod-acme", of, named(platformStack));
  expect(() => run("b")).toThrow(
    "The stack prod-acme has tenants of the platform organization/tenantry/a. This run would remove them there and recreate them at b. Keep",
  );
  expect(() => run(["b", "c"])).toThrow("recreate them at b or c.");
  for (const same of ["a", "acme/tenantry/a", ["b", "a"]]) expect(() => run(same)).not.toThrow();
  // A stack without tenants, or without a platform.
  expect(() => run("b", state(reference))).not.toThrow();
  expect(() => run("b", state(tenant))).not.toThrow();
  expect(() => refuseOtherPlatform("prod-acme", undefined, named("b"))).not.toThrow();
  expect(() => refuseOtherPlatform("prod-acme", deployed, {})).not.toThrow();
});
