import { expect, test } from "vitest";
import { engineFault, engineFaults } from "./fault.ts";

test("returns a resource's error once, without the engine's other output", () => {
  const output = [
    "Diagnostics:",
    "  tenantry:index:DatabaseRecord (acme):",
    "    error: The database refused: it is full.",
    "  pulumi:pulumi:Stack (s):",
    "    warning: something else",
    "    error: update failed",
    "    error: The database refused: it is full.",
    "",
    "Resources:",
  ].join("\n");
  expect(engineFaults(output)).toEqual(["The database refused: it is full."]);
});

test("keeps the lines of an error", () => {
  const output = "    error: the settings have 2 faults:\n      tenantry:a: one\n      tenantry:b: two\n\n  Resources:";
  expect(engineFaults(output)).toEqual(["the settings have 2 faults:\n  tenantry:a: one\n  tenantry:b: two"]);
});

test("explains a wrong passphrase once", () => {
  const output =
    'error: getting secrets manager: constructing secrets manager of type "passphrase": incorrect passphrase';
  expect(engineFaults(output)).toEqual([
    expect.stringContaining("another passphrase than the one in PULUMI_CONFIG_PASSPHRASE"),
  ]);
});

test("returns other errors unchanged", () => {
  expect(engineFault(new Error("Port 1 is in use by another program."))).toBe("Port 1 is in use by another program.");
});
