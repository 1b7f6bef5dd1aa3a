/**
 * Finds unit tests, which start no process. A file starts one if it, or a module of a `testing` folder that it imports, imports one of
 * {@link STARTERS}. `no-processes.ts` fails a unit test that starts one anyway.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");

export const TEST_FILES =
  "{automation,fleet,stack,components,packages,policy,domain,database,local,workers,tests}/**/*.test.ts";

const PACKAGES = ["node:child_process", "@pulumi/pulumi/automation/index.js", "playwright-core", "pg", "vite"];
/** Paths below the root. */
const MODULES = [
  ...[
    "local/edge.ts",
    "@tenantry/postgres",
    "packages/postgres/src/database.ts",
    "packages/postgres/src/cluster.ts",
    "packages/test-kit/src/browser.ts",
  ],
  ...[
    "packages/edge/src/runtime/runtime.ts",
    "packages/edge/src/runtime/workerd/miniflare.ts",
    "packages/edge/src/runtime/storage.ts",
    "packages/edge/src/containers/engine.ts",
    "packages/edge/src/containers/engine-process/host.ts",
    "@tenantry/edge",
    "packages/edge/src/containers.ts",
    "packages/edge/src/workerd.ts",
  ],
  ...["local/start/deployment.ts", "@tenantry/automation-api", "packages/automation-api/src/quick-stack.ts"],
  ...[
    "bench/every-suite.ts",
    "conformance/run/target.ts",
    "workers/bundle.ts",
    "workers/pages.ts",
    "packages/std/src/file-lock.ts",
  ],
];
const STARTERS: ReadonlySet<string> = new Set([...PACKAGES, ...MODULES]);

/** Matches module names of imports, except type imports. */
const IMPORT =
  /(?:^|\n)(?:import|export)\s(?!type\s)[^;]*?from\s+"([^"]+)"|import\(\s*"([^"]+)"\s*\)|\nimport "([^"]+)"/g;

/** Modules that tests share. */
const HELPER = /\/testing\/|^packages\/test-kit\//;

/** Returns the path below the root of one of our modules, or the name of another. */
function moduleOf(name: string, file: string): string {
  if (name.startsWith(".")) return relative(ROOT, resolve(ROOT, dirname(file), name));
  const [, ownPackage] = /^(packages\/[^/]+\/)/.exec(file) ?? [];
  if (name.startsWith("#")) return ownPackage === undefined ? name.slice(1) : `${ownPackage}src/${name.slice(1)}`;
  return name.replace(/^@tenantry\/([^/]+)\/(.+)$/, "packages/$1/src/$2.ts");
}

function startsProcess(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  const text = readFileSync(join(ROOT, file), "utf8");
  const imports = [...text.matchAll(IMPORT)].map(([, from, dynamic, bare]) => from ?? dynamic ?? bare ?? "");
  const modules = imports.map((name) => moduleOf(name, file));
  return modules.some(
    (name) => STARTERS.has(name) || (HELPER.test(name) && existsSync(join(ROOT, name)) && startsProcess(name, seen)),
  );
}

/** @returns test files that start no process, as paths below the root */
export function unitTests(): string[] {
  return globSync(TEST_FILES, { cwd: ROOT }).filter((file) => !startsProcess(file));
}
