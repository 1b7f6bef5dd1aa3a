/**
 * Which test files are unit tests: those that start no process. A file starts one if it, or a module of a `testing` folder that it
 * imports, imports one of {@link STARTERS}. `no-processes.ts` fails a unit test that starts one all the same.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");

export const TEST_FILES =
  "{automation,fleet,stack,components,plugin-host,policy,provider,domain,database,local,workers,tools,tests}/**/*.test.ts";

const PACKAGES = ["node:child_process", "@pulumi/pulumi/automation/index.js", "playwright-core", "pg", "vite"];
/** Paths below the root. */
const MODULES = [
  ...["local/edge.ts", "local/database/database.ts", "local/database/cluster.ts", "local/screenshots/browser.ts"],
  ...[
    "local/runtime/runtime.ts",
    "local/runtime/workerd/miniflare.ts",
    "local/runtime/storage.ts",
    "local/containers/apart/host.ts",
  ],
  ...["local/start/deployment.ts", "automation/engine/run/quick-stack.ts"],
  ...["bench/every-suite.ts", "workers/bundle.ts", "workers/pages.ts", "workers/build-lock.ts"],
];
const STARTERS: ReadonlySet<string> = new Set([...PACKAGES, ...MODULES]);

/** The module names of imports, without those of types alone. */
const IMPORT =
  /(?:^|\n)(?:import|export)\s(?!type\s)[^;]*?from\s+"([^"]+)"|import\(\s*"([^"]+)"\s*\)|\nimport "([^"]+)"/g;

function startsProcess(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  const text = readFileSync(join(ROOT, file), "utf8");
  const imports = [...text.matchAll(IMPORT)].map(([, from, dynamic, bare]) => from ?? dynamic ?? bare ?? "");
  const modules = imports.map((name) =>
    name.startsWith(".") ? relative(ROOT, resolve(ROOT, dirname(file), name)) : name.replace(/^#/, ""),
  );
  return modules.some(
    (name) =>
      STARTERS.has(name) || (name.includes("/testing/") && existsSync(join(ROOT, name)) && startsProcess(name, seen)),
  );
}

/** @returns the test files that start no process, as paths below the root */
export function unitTests(): string[] {
  return globSync(TEST_FILES, { cwd: ROOT }).filter((file) => !startsProcess(file));
}
