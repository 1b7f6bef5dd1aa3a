import { resolve } from "node:path";
import { expect, test } from "vitest";
import { parseCommandLine } from "./command-line.ts";

test("parses options and their defaults", () => {
  expect(parseCommandLine([])).toEqual({ state: resolve(".edge"), port: 8787, domain: undefined, containerPort: 8080 });
  const given = ["--state", "/tmp/x", "--port", "0", "--domain", "shop.localhost", "--container-port", "3000"];
  expect(parseCommandLine(given)).toEqual({ state: "/tmp/x", port: 0, domain: "shop.localhost", containerPort: 3000 });
  expect(parseCommandLine(["--help"])).toBeUndefined();
});

test.each([
  [["--port", "many"], "--port must be a number"],
  [["--container-port", "70000"], "--container-port must be a number"],
  [["--domain", "localhost"], "--domain must be a name"],
  [["--unknown"], "Unknown option"],
])("rejects %j", (args, message) => {
  expect(() => parseCommandLine(args)).toThrow(message);
});
