import { expect, test } from "vitest";
import { engineFault, engineFaults } from "./fault.ts";

test("finds what a resource said, once, without the engine's report around it", () => {
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

test("keeps the lines that belong to an error", () => {
  const output = "    error: the settings have 2 faults:\n      tenantry:a: one\n      tenantry:b: two\n\n  Resources:";
  expect(engineFaults(output)).toEqual(["the settings have 2 faults:\n  tenantry:a: one\n  tenantry:b: two"]);
});

test("says what a wrong passphrase means, once", () => {
  const output =
    'error: getting secrets manager: constructing secrets manager of type "passphrase": incorrect passphrase';
  expect(engineFaults(output)).toEqual([expect.stringContaining("another passphrase than PULUMI_CONFIG_PASSPHRASE")]);
});

test("leaves errors that are not the engine's as they are", () => {
  expect(engineFault(new Error("Port 1 is in use by another program."))).toBe("Port 1 is in use by another program.");
});
