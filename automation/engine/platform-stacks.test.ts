import { expect, test } from "vitest";
import { namedPlatform, onCopies, platformStackOf, platformStacksOf, refuseOtherPlatform } from "./platform-stacks.ts";
import type { ExportedState } from "./state/scratch-backend.ts";

const named = (platformStack: unknown) => ({ "tenantry:platformStack": platformStack, "tenantry:clients": [] });

/** A stack's state, by the types and names of its resources. */
const state = (...resources: [type: string, name: string][]): ExportedState => ({
  version: 3,
  deployment: {
    resources: resources.map(([type, name]) => ({ type, urn: `urn:pulumi:prod-acme::tenantry::${type}::${name}` })),
  },
});
const reference = ["pulumi:pulumi:StackReference", "organization/tenantry/a"] as [string, string];
const tenant = ["tenantry:components:Client", "acme"] as [string, string];

test("settings name one stack, or several in their order", () => {
  expect(platformStacksOf(named("prod"))).toEqual(["prod"]);
  expect(platformStacksOf(named(["prod", "tenantry/eu"]))).toEqual(["prod", "tenantry/eu"]);
  expect(platformStacksOf({})).toEqual([]);
});

test("copies have names of their own, and settings keep their form", () => {
  expect(onCopies(named("prod"))).toEqual(named("organization/tenantry/prod"));
  expect(onCopies(named(["prod", "acme/tenantry/eu"]))).toEqual(
    named(["organization/tenantry/prod", "organization/tenantry/eu"]),
  );
  expect(onCopies({})).toEqual({});
});

test("of several the one that was found is told as the settings name it", () => {
  expect(namedPlatform("organization/tenantry/eu", named(["prod", "acme/tenantry/eu"]))).toBe("acme/tenantry/eu");
  expect(namedPlatform("organization/tenantry/us", named(["prod", "eu"]))).toBeNull();
  expect(namedPlatform("organization/tenantry/prod", named("prod"))).toBeNull();
  expect(namedPlatform(undefined, named(["prod", "eu"]))).toBeNull();
});

test("a run is refused by which tenants would have another platform, and no other", () => {
  const deployed = state(reference, tenant);
  expect(platformStackOf(deployed)).toBe("organization/tenantry/a");
  const run = (platformStack: unknown, of: ExportedState | undefined = deployed) =>
    refuseOtherPlatform("prod-acme", of, named(platformStack));
  expect(() => run("b")).toThrow(
    "The stack prod-acme has tenants of the platform organization/tenantry/a, which would be removed there and made anew at b. Keep",
  );
  expect(() => run(["b", "c"])).toThrow("made anew at b or c.");
  for (const same of ["a", "acme/tenantry/a", ["b", "a"]]) expect(() => run(same)).not.toThrow();
  // Nobody is there yet, or nobody says where.
  expect(() => run("b", state(reference))).not.toThrow();
  expect(() => run("b", state(tenant))).not.toThrow();
  expect(() => refuseOtherPlatform("prod-acme", undefined, named("b"))).not.toThrow();
  expect(() => refuseOtherPlatform("prod-acme", deployed, {})).not.toThrow();
});
