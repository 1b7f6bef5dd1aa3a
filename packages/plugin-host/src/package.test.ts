/** The package as npm installs it: `tools/pack.mjs` makes the tarball, and the example runs on it alone. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { pulumiCommand, quickStack } from "@tenantry/automation-api/quick-stack";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { ENGINE_VERSION } from "./testing/test-stack.ts";

const ROOT = join(import.meta.dirname, "../../..");
const manifestSchema = z.object({ dependencies: z.record(z.string(), z.string()) });

let temporary: string;
/** An empty project that has the package installed. */
let project: string;
let installed: string;
/** A copy of the example in the project. */
let example: string;

const pack = (folder: string) =>
  spawnSync(process.execPath, ["tools/pack.mjs", folder, temporary], { cwd: ROOT, encoding: "utf8" });

/** Makes a package of the repository one of the project. */
function link(name: string): void {
  const path = join(project, "node_modules", name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(join(ROOT, "node_modules", name), path);
}

beforeAll(() => {
  temporary = mkdtempSync(join(tmpdir(), "package-"));
  project = join(temporary, "project");
  installed = join(project, "node_modules/@tenantry/plugin-host");
  example = join(project, "notes");
  const packed = pack("packages/plugin-host");
  expect(packed.status, packed.stderr).toBe(0);
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", packed.stdout.trim(), "-C", installed, "--strip-components=1"]);
  const { dependencies } = manifestSchema.parse(JSON.parse(readFileSync(join(installed, "package.json"), "utf8")));
  for (const name of Object.keys(dependencies)) link(name);
  link("@types/node");
  cpSync(join(installed, "examples/notes"), example, { recursive: true });
});
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

test("the tarball has compiled modules, those of other workspace packages included, and can be published", () => {
  const files = globSync("{*,dist/**/*,examples/*/*}", { cwd: installed });
  expect(files).toEqual(
    expect.arrayContaining(["README.md", "LICENSE", "dist/index.js", "dist/index.d.ts", "examples/notes/provider.ts"]),
  );
  expect(files.filter((file) => /^dist.*((?<![.]d)[.]ts|test)/.test(file))).toEqual([]);
  for (const file of globSync("dist/**/*.{js,ts}", { cwd: installed })) {
    expect(readFileSync(join(installed, file), "utf8"), file).not.toMatch(
      /(from|import) ?[("]+(@tenantry|#|[^"]*\.ts")/,
    );
  }
  const root = manifestSchema.parse(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")));
  expect(JSON.parse(readFileSync(join(installed, "package.json"), "utf8"))).toEqual({
    ...{ name: "@tenantry/plugin-host", version: expect.any(String), description: expect.any(String) },
    ...{ license: "Apache-2.0", type: "module", engines: { node: ">=24" } },
    exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
    files: ["dist", "README.md", "examples"],
    dependencies: {
      ...Object.fromEntries(
        ["@grpc/grpc-js", "@pulumi/pulumi", "google-protobuf", "zod"].map((name) => [name, root.dependencies[name]]),
      ),
      "@types/google-protobuf": expect.any(String),
    },
  });
});

test("the example compiles against the declarations", () => {
  const options = ["--noEmit", "--strict", "--target", "es2023", "--module", "nodenext", "--types", "node"];
  const strict = ["--allowImportingTsExtensions", "--verbatimModuleSyntax", "--erasableSyntaxOnly"];
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const compiled = spawnSync(process.execPath, [compiler, ...options, ...strict, "provider.ts", "index.ts"], {
    cwd: example,
    encoding: "utf8",
  });
  expect(compiled.stdout).toBe("");
  expect(compiled.status).toBe(0);
});

test("the example deploys and destroys by the engine, on plain Node", async () => {
  const where = 'console.log(import.meta.resolve("@tenantry/plugin-host"))';
  expect(execFileSync("node", ["--input-type=module", "-e", where], { cwd: example, encoding: "utf8" })).toBe(
    `file://${installed}/dist/index.js\n`,
  );
  const { SECRETS_PROVIDER: secretsProvider } = process.env;
  const stack = quickStack(
    await LocalWorkspace.createStack(
      { stackName: "dev", workDir: example },
      {
        pulumiCommand: await pulumiCommand(join(homedir(), ".pulumi/versions", ENGINE_VERSION)),
        ...(secretsProvider && { secretsProvider }),
        envVars: {
          PULUMI_BACKEND_URL: `file://${temporary}`,
          PULUMI_CONFIG_PASSPHRASE: "test",
          PULUMI_SKIP_UPDATE_CHECK: "true",
          PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
        },
      },
    ),
  );
  const folder = join(temporary, "files");
  await stack.setConfig("notes:folder", { value: folder });
  await stack.up();
  expect(readFileSync(join(folder, "shopping.txt"), "utf8")).toBe("Bread and milk");
  await stack.destroy();
  expect(existsSync(join(folder, "shopping.txt"))).toBe(false);
});

test("a package without an entry point is refused", () => {
  const refused = pack("packages/std");
  expect(refused.status).toBe(1);
  expect(refused.stderr).toBe(
    "packages/std was not packed: @tenantry/std has no entry point: add an export without '*', or a bin, to its package.json.\n",
  );
});
