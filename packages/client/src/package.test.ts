/** The package as npm installs it from the tarball of `local/tools/pack.mjs`. */
import { execFileSync, spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installPacked, type PackedPackage } from "@tenantry/test-kit/packed-package";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");
const README = join(import.meta.dirname, "../README.md");
let packed: PackedPackage;

beforeAll(() => {
  packed = installPacked("packages/client");
});
afterAll(() => packed?.remove());

/** Compiles a module of the project against the declarations. @returns the output of the compiler */
function compile(text: string): string {
  const file = "example.mts";
  writeFileSync(join(packed.project, file), text);
  const strict = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2023", "--module", "nodenext"];
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const args = [compiler, ...strict, "--lib", "es2023,dom,dom.iterable", file];
  return spawnSync(process.execPath, args, { cwd: packed.project, encoding: "utf8" }).stdout;
}

test("compiles the README's example against the declarations, and refuses wrong operations and inputs", () => {
  const [, example = ""] = /```ts\n([\s\S]*?)```/.exec(readFileSync(README, "utf8")) ?? [];
  const process = "declare const process: { env: Record<string, string | undefined> };\n";
  expect(compile(process + example)).toBe("");
  const wrong = example
    .replace('"listClientUsers"', '"listUsers2"')
    .replace("path: { instance_id:", "path: { instance:");
  expect(compile(process + wrong)).toMatch(/error TS\d+: .*listUsers2[\s\S]*error TS\d+: .*instance/);
});

test("needs no types of Node", () => {
  const text = `import { createClient } from "@tenantry/client";
import { request } from "@tenantry/client/request";
export const client = createClient({ baseUrl: location.origin });
export const sent = request({ connect: () => ({ baseUrl: "" }) }, { method: "GET", path: "/session" });
`;
  expect(compile(text)).toBe("");
  const imported = globSync("dist/**/*.js", { cwd: packed.installed }).flatMap((file) =>
    [...readFileSync(join(packed.installed, file), "utf8").matchAll(/from "([^"]+)"/g)].map(([, from]) => from),
  );
  expect(imported.filter((from) => !from?.startsWith("."))).toEqual([]);
});

test("sends requests on plain Node", () => {
  const script = `import { createClient } from "@tenantry/client";
const fetch = async (url) => Response.json({ url });
console.log((await createClient({ baseUrl: "https://dash.example.test", fetch }).call("getSession")).url);`;
  const options = { cwd: packed.project, encoding: "utf8" } as const;
  expect(execFileSync("node", ["--input-type=module", "-e", script], options)).toBe(
    "https://dash.example.test/session\n",
  );
});
