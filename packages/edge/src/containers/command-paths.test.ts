import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { commandPaths } from "./command-paths.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "command-paths-test-")));
  for (const file of ["package.json", "gateway/dist/main.js", "scripts/reference.mjs", "state/edge.json", "bin/gw"]) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), "{}");
  }
});
afterEach(() => {
  rmSync(root, { recursive: true });
  vi.unstubAllEnvs();
});

const hidden = () => join(root, "state");
const hiddenFolder = join(import.meta.dirname, "testing");
const scripts = () => join(hiddenFolder, "image");
/** Returns paths relative to the root, without that of Node.js. */
const paths = (command: string[], around = { hidden: hiddenFolder, scripts: scripts() }) =>
  commandPaths(command, around)
    .filter((path) => path.startsWith(root))
    .map((path) => path.slice(root.length));

test("shows a file with its package", () => {
  expect(paths(["node", join(root, "gateway/dist/main.js"), "--port", "{port}"])).toEqual([""]);
});

test("shows a file of an installed package with the packages beside it", () => {
  const file = join(root, "node_modules/gateway/dist/main.js");
  for (const path of [
    file,
    join(root, "node_modules/gateway/package.json"),
    join(root, "node_modules/other/package.json"),
  ]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "{}");
  }
  expect(paths(["node", file])).toEqual(["/node_modules"]);
});

test("shows a file without package with its directory", () => {
  rmSync(join(root, "package.json"));
  expect(paths(["node", join(root, "gateway/dist/main.js")])).toEqual(["/gateway/dist"]);
});

test("hides a package that contains the state or the user's home, and that of the image's scripts", () => {
  const file = join(root, "gateway/dist/main.js");
  expect(paths(["node", file], { hidden: hidden(), scripts: scripts() })).toEqual(["/gateway/dist"]);
  const around = { hidden: hiddenFolder, scripts: join(root, "scripts") };
  expect(paths(["node", join(root, "scripts/reference.mjs")], around)).toEqual(["/scripts"]);
  vi.stubEnv("HOME", join(root, "gateway"));
  expect(paths(["node", file])).toEqual(["/gateway/dist"]);
});

test("shows the installation of a program, also by name", () => {
  vi.stubEnv("PATH", join(root, "bin"));
  expect(paths(["gw"])).toEqual(["/bin", ""]);
  expect(paths(["gw"], { hidden: hidden(), scripts: scripts() })).toEqual(["/bin"]);
  vi.stubEnv("HOME", root);
  expect(paths(["gw"])).toEqual(["/bin"]);
});

test("shows no folder of the search path for a command without a program", () => {
  vi.stubEnv("PATH", join(root, "bin"));
  expect(paths([])).toEqual([]);
});
