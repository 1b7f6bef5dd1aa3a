import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const MAX_FILES = 15;
const SOURCES =
  "{automation,bench,components,database,docs,domain,fleet,local,packages,policy,stack,workers}/**/*.{ts,tsx,mjs,js,css,html,sql,go}";
const IGNORED = /(^|\/)(node_modules|dist|\.wrangler)(\/|$)/;
/** Tests with their helpers, generated files, and migrations, which are frozen. */
const NOT_COUNTED = /\.test\.|\/testing\/|^packages\/test-kit\/|^database\/(types\.ts|schema\.sql|migrations\/)/;

test("a folder has at most 15 source files", () => {
  const files = globSync(SOURCES, { cwd: ROOT, exclude: (path) => IGNORED.test(path) });
  const counts = new Map<string, number>();
  for (const file of files) {
    if (NOT_COUNTED.test(file)) continue;
    const folder = dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const excessive = [...counts].flatMap(([folder, count]) => (count > MAX_FILES ? [`${folder}: ${count}`] : []));
  expect(
    excessive,
    `These folders have more than ${MAX_FILES} source files. Move files that belong together to a subfolder, or merge files that change together.`,
  ).toEqual([]);
  expect(counts.size).toBeGreaterThan(100);
});
