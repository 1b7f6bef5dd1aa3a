import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SHARED_SOURCES } from "./bundle.ts";
import { PAGES_SOURCES } from "./pages.ts";

const ROOT = join(import.meta.dirname, "..");
const PACKAGE = /^(?:import|export) (?!type )[^;]*? from "@tenantry\/([\w-]+)/gm;

const UI = "workers/dashboard/ui";
const importedPackages = (folders: readonly string[]): Set<string> =>
  new Set(
    globSync(`{${folders.join(",")}}/**/*.{ts,tsx}`, { cwd: ROOT })
      .filter((file) => !/\.test\.tsx?$|\/testing\//.test(file))
      // No Worker has the pages.
      .filter((file) => folders.includes(UI) || !file.startsWith(UI))
      .flatMap((file) => [...readFileSync(join(ROOT, file), "utf8").matchAll(PACKAGE)])
      .map(([, name]) => `packages/${name}`),
  );

test.each([
  ["the pages", PAGES_SOURCES, [UI, "workers/contracts", "domain"]],
  ["Workers", SHARED_SOURCES, ["workers/{contracts,dashboard,dispatch,shared,tenant}", "domain"]],
])("%s are built again when an imported package has changed", (_, sources, folders) => {
  const imported = importedPackages(folders);
  expect(imported).toContain("packages/webhooks");
  expect([...imported].filter((name) => !sources.includes(name))).toEqual([]);
});
