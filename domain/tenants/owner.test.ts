import { expect, test } from "vitest";
import { foreignOwner, isForeign, stackOf } from "./owner.ts";

const urn = (stack: string, name = "client-acme") =>
  `urn:pulumi:${stack}::tenantry::tenantry:components:Client$tenantry:index:DatabaseRecord::${name}`;

test("identifies a stack by its project and its name", () => {
  expect(stackOf(urn("dev"))).toBe("tenantry/dev");
  expect(stackOf("tenantry/dev")).toBeUndefined();
});

test.each([
  ["nobody's", null, false],
  ["nobody's, as a tag that is empty", "", false],
  ["the same stack's, under another name", urn("dev", "client-renamed"), false],
  ["the same stack's, by its name alone", "tenantry/dev", false],
  ["another stack's", urn("prod"), true],
  ["a stack's of another project", "other/dev", true],
])("a resource that is %s", (_, owner, foreign) => {
  expect(isForeign(owner, urn("dev"))).toBe(foreign);
});

test("names the owner and the remedies in a refusal", () => {
  expect(foreignOwner("The client acme", urn("prod"), "acme")).toBe(
    "The client acme belongs to the stack tenantry/prod. Choose another name, or remove it there. To take it over, for example after " +
      "`pulumi state move`, set TENANTRY_TAKE_OVER=acme for one run.",
  );
});
