/**
 * `npm run try:openclaw -- [NAME…] [OPTION…]` runs the acceptance tests against the real OpenClaw: those of the named files in
 * `tests/openclaw`, such as `channels`, or all. OpenClaw has 650 MB, so it is installed outside the checkout, in the image's version with
 * the image's plug-ins, and in an earlier one.
 *
 * Environment: OPENCLAW_VERSION (default: the image's), OPENCLAW_VERSION_BEFORE (the earlier one; empty for none), XDG_CACHE_HOME.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { chatPrograms } from "./chat-programs.mjs";

const root = join(import.meta.dirname, "../..");
/** OpenClaw and the plug-ins of the image, locked. */
const packages = join(root, "workers/tenant/container/openclaw-packages");
const { dependencies } = JSON.parse(readFileSync(join(packages, "package.json"), "utf8"));
const version = process.env.OPENCLAW_VERSION ?? dependencies.openclaw;

const before = process.env.OPENCLAW_VERSION_BEFORE ?? "2026.9.5";

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "tenantry");

function run(command, parameters, options = {}) {
  const { status, error } = spawnSync(command, parameters, { stdio: "inherit", ...options });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** @returns a field of npm's package; undefined when it has none */
function fromNpm(specifier, field) {
  const options = ["--fetch-retries=0", "--fetch-timeout=20000"];
  const { status, stdout } = spawnSync("npm", ["view", ...options, specifier, field], { encoding: "utf8" });
  return status === 0 && stdout.trim() !== "" ? stdout.trim() : undefined;
}

/** Exits when npm cannot supply the version. */
function requireVersion(version, variable) {
  if (fromNpm(`openclaw@${version}`, "version") !== undefined) return;
  const newest = fromNpm("openclaw", "version");
  fail(
    newest === undefined
      ? "Failed to find openclaw: npm cannot reach its registry. Check the network and `npm config get registry`, then try again."
      : `npm has no version ${version} of openclaw; the newest is ${newest}. Set ${variable} to a published version, such as ${variable}=${newest}.`,
  );
}

/** The image's version is installed again when its lock file has changed. */
function directoryOf(version) {
  if (version !== dependencies.openclaw) return `openclaw-${version}`;
  const lock = readFileSync(join(packages, "package-lock.json"));
  return `openclaw-${version}-${createHash("sha256").update(lock).digest("hex").slice(0, 8)}`;
}

/** Installs a version if it is missing. @param variable sets the version @returns its program */
function installed(version, variable) {
  const directory = join(cache, directoryOf(version));
  const program = join(directory, "node_modules/openclaw/openclaw.mjs");
  if (!existsSync(program)) {
    requireVersion(version, variable);
    install(version, directory);
    if (!existsSync(program))
      fail(`openclaw ${version} has no program openclaw.mjs. Set ${variable} to another published version.`);
  }
  // The first run completes the installation in its directory, which containers cannot write, and removes what it does not know.
  run(process.execPath, [program, "--version"]);
  movePlugins(join(directory, "node_modules"));
  return program;
}

/** Puts the plug-ins among the program's own, as in the image. */
function movePlugins(packages) {
  for (const name of Object.keys(dependencies)) {
    const plugin = join(packages, name);
    if (name.startsWith("@openclaw/") && existsSync(plugin))
      renameSync(plugin, join(packages, "openclaw/dist/extensions", basename(name)));
  }
}

/** Installs as the image does: the image's version from its lock file, another one from the registry. */
function install(version, directory) {
  process.stdout.write(`Installing openclaw ${version} into ${directory} (650 MB, about a minute)…\n`);
  const begun = Date.now();
  // In a temporary directory until it is complete.
  const partial = `${directory}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  cpSync(packages, partial, { recursive: true });
  const isLocked = version === dependencies.openclaw;
  if (!isLocked) {
    rmSync(join(partial, "package-lock.json"));
    writeFileSync(
      join(partial, "package.json"),
      JSON.stringify({ private: true, dependencies: dependenciesOf(version) }),
    );
  }
  run("npm", [isLocked ? "ci" : "install", "--no-fund", "--no-audit", "--loglevel=error"], { cwd: partial });
  rmSync(directory, { recursive: true, force: true });
  renameSync(partial, directory);
  process.stdout.write(`Installed openclaw ${version} in ${Math.round((Date.now() - begun) / 1000)} s.\n`);
}

/** Another version: with the plug-ins if it is the one under test. */
function dependenciesOf(version) {
  if (version !== process.env.OPENCLAW_VERSION) return { openclaw: version };
  const tags = Object.entries(dependencies).map(([name, tag]) => [name, tag === dependencies.openclaw ? version : tag]);
  return Object.fromEntries(tags);
}

const tests = "tests/openclaw";
const fileOf = (name) => (existsSync(join(root, tests, `${name}.test.ts`)) ? `${tests}/${name}.test.ts` : name);
const parameters = process.argv.slice(2).map(fileOf);
const files = parameters.some((parameter) => parameter.startsWith("tests/")) ? [] : [tests];
const program = installed(version, "OPENCLAW_VERSION");
const withChats = files.length > 0 || parameters.some((parameter) => parameter.includes("sockets"));
const vitest = join(root, "node_modules/vitest/vitest.mjs");
// One file at a time: starting OpenClaw takes all of a two-core machine.
const reporters = ["--reporter=default", "--reporter=./tests/openclaw/testing/summary.ts"];
run(process.execPath, [vitest, "run", "--no-file-parallelism", ...reporters, ...files, ...parameters], {
  cwd: root,
  env: {
    ...process.env,
    TENANTRY_OPENCLAW: program,
    ...(withChats && chatPrograms(cache)),
    ...(before !== "" && { TENANTRY_OPENCLAW_BEFORE: installed(before, "OPENCLAW_VERSION_BEFORE") }),
  },
});
