import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bundleWorker, type WorkerBundle, workerNames } from "./bundle.ts";

const ROOT = resolve(import.meta.dirname, "..");
const GREETING = `import { Hono } from "hono";
export default new Hono().get("/", (c) => c.text("hello"));
`;

let directory: string;

beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), "bundle-")));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

/** A checkout with a Worker of a few lines. */
async function checkout(path: string): Promise<string> {
  const root = join(directory, path);
  await mkdir(join(root, "workers/dispatch"), { recursive: true });
  for (const file of [
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "workers/tsconfig.json",
    "domain/errors/builds.ts",
    "domain/errors/catalogue.ts",
    "domain/errors/codes.ts",
    "workers/bundle.ts",
    "workers/cached-build.ts",
    "workers/pages.ts",
    "workers/contracts/pages.ts",
    "domain/access/access-addresses.ts",
    "domain/names",
    "domain/environment.ts",
  ]) {
    await cp(join(ROOT, file), join(root, file), { recursive: true });
  }
  await symlink(await realpath(join(ROOT, "node_modules")), join(root, "node_modules"));
  const config = {
    name: "dispatch",
    main: "index.ts",
    compatibility_date: "2026-07-01",
    compatibility_flags: ["nodejs_compat"],
  };
  const text = `// Where it starts.\n${JSON.stringify(config).replace("}", ", /* and // that is all */ }")}`;
  await writeFile(join(root, "workers/dispatch/wrangler.jsonc"), text);
  await writeFile(join(root, "workers/dispatch/index.ts"), GREETING);
  return root;
}

async function bundle(root: string): Promise<WorkerBundle> {
  const script = `import { bundleWorker } from "./workers/bundle.ts";
    try { console.log(JSON.stringify(await bundleWorker("dispatch"))) }
    catch (error) { console.error(error.message); process.exit(1) }`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { cwd: root });
  return JSON.parse(stdout);
}

test("builds the same modules from the same sources in any directory", async () => {
  const [one, other] = await Promise.all([checkout("one").then(bundle), checkout("deeper/in/there").then(bundle)]);
  expect(other.contentHash).toBe(one.contentHash);
  expect(one).toMatchObject({
    mainModule: "index.js",
    compatibilityDate: "2026-07-01",
    compatibilityFlags: ["nodejs_compat"],
  });
  const code = await readFile(join(one.path, one.mainModule), "utf8");
  expect(code).not.toContain(directory);
  expect(code).not.toContain(ROOT);
  expect(code).not.toContain("../node_modules");
  expect(await readdir(one.path)).toEqual(["index.js"]);
  // The user of an image is not the one that built it.
  expect((await stat(one.path)).mode & 0o777).toBe(0o777 & ~process.umask());
}, 60_000);

// With `import { z }` each Worker would include all of zod with fifty languages, more than its own code.
test.each(workerNames)("includes only the used parts of libraries in the %s Worker", async (name) => {
  const { path, mainModule } = await bundleWorker(name);
  expect(await readFile(join(path, mainModule), "utf8")).not.toContain("zod/v4/locales/fr.js");
});

test("builds once for concurrent processes, and again when a source has changed", async () => {
  const root = await checkout("clone");
  const [one, other] = await Promise.all([bundle(root), bundle(root)]);
  expect(other).toEqual(one);
  const builds = await readdir(join(root, "dist/workers/dispatch"));
  expect(builds).toHaveLength(2);
  expect(builds).toEqual(expect.arrayContaining([basename(one.path), expect.stringMatching(/\.sources$/)]));
  expect(await readdir(join(root, "workers/dispatch"))).toEqual(["index.ts", "wrangler.jsonc"]);

  await writeFile(join(root, "workers/dispatch/index.test.ts"), "// Tests are no part of the Worker.");
  expect(await bundle(root)).toEqual(one);
  await writeFile(join(root, "workers/dispatch/other.ts"), "// Changes the sources, and not what they give.");
  expect(await bundle(root)).toEqual(one);
  await writeFile(join(root, "workers/dispatch/index.ts"), GREETING.replace("hello", "good day"));
  expect((await bundle(root)).contentHash).not.toBe(one.contentHash);
}, 60_000);

test("ignores a lock whose owner has ended", async () => {
  const root = await checkout("clone");
  const { path } = await bundle(root);
  const builds = join(root, "dist/workers/dispatch");
  const record = (await readdir(builds)).find((file) => file.endsWith(".sources")) ?? "";
  await rm(path, { recursive: true });
  const gone = await promisify(execFile)(process.execPath, ["-p", "process.pid"]);
  await writeFile(join(builds, `${record}.lock`), gone.stdout.trim());
  expect((await bundle(root)).path).toBe(path);
}, 60_000);

test("reports the bundler's message and leaves no build when it fails", async () => {
  const root = await checkout("clone");
  await writeFile(join(root, "workers/dispatch/index.ts"), `import "./missing.ts";\nexport default {};\n`);
  await expect(bundle(root)).rejects.toThrow(
    /Failed to build the dispatch Worker: [\s\S]*Could not resolve "\.\/missing\.ts"/,
  );
  expect(await readdir(join(root, "dist/workers/dispatch"))).toEqual([]);
}, 60_000);

test("refuses a wrangler.jsonc without a compatibility date", async () => {
  const root = await checkout("clone");
  await writeFile(join(root, "workers/dispatch/wrangler.jsonc"), `{ "name": "dispatch" }`);
  await expect(bundle(root)).rejects.toThrow(/workers\/dispatch\/wrangler\.jsonc is invalid: .*compatibility_date/s);
}, 60_000);
