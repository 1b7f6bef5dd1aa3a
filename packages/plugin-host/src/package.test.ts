/** The package as npm installs it from the tarball of `local/tools/pack.mjs`. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { pulumiCommand, quickStack } from "@tenantry/automation-api";
import { installPacked, type PackedPackage, pack, rootManifest } from "@tenantry/test-kit/packed-package";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ENGINE_VERSION } from "./testing/test-stack.ts";

const ROOT = join(import.meta.dirname, "../../..");

let packed: PackedPackage;
let installed: string;
/** A copy of the example in the project. */
let example: string;

beforeAll(() => {
  packed = installPacked("packages/plugin-host");
  installed = packed.installed;
  example = join(packed.project, "notes");
  packed.link("@types/node");
  cpSync(join(installed, "examples/notes"), example, { recursive: true });
});
afterAll(() => packed?.remove());

test("packs compiled modules, including those of other workspace packages, with a publishable manifest", () => {
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
  const root = rootManifest();
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

test("compiles the example against the declarations", () => {
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

test("deploys and destroys the example with the engine, on plain Node", async () => {
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
          PULUMI_BACKEND_URL: `file://${packed.project}`,
          PULUMI_CONFIG_PASSPHRASE: "test",
          PULUMI_SKIP_UPDATE_CHECK: "true",
          PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
        },
      },
    ),
  );
  const folder = join(packed.project, "files");
  await stack.setConfig("notes:folder", { value: folder });
  await stack.up();
  expect(readFileSync(join(folder, "shopping.txt"), "utf8")).toBe("Bread and milk");
  await stack.destroy();
  expect(existsSync(join(folder, "shopping.txt"))).toBe(false);
});

test("refuses to pack a package without an entry point", () => {
  const folder = join(packed.project, "internal");
  mkdirSync(folder);
  const manifest = { name: "@tenantry/internal", version: "0.1.0", exports: { "./*": "./src/*.ts" } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  const refused = pack(folder, packed.project);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toBe(
    `Failed to pack ${folder}: @tenantry/internal has no entry point. Add an export without '*', or a bin, to its package.json.\n`,
  );
});
