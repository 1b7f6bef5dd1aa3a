/**
 * `npm run try:openclaw -- [FILE…] [OPTION…]` runs the acceptance tests against the real OpenClaw. It has 650 MB, so it is installed
 * outside the checkout, in the image's version with the image's plug-ins, and in an earlier one.
 *
 * Environment: OPENCLAW_VERSION (default: the image's), OPENCLAW_VERSION_BEFORE (the earlier one; empty for none), XDG_CACHE_HOME.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { chatPrograms } from "./chat-programs.mjs";

const root = join(import.meta.dirname, "../..");
const dockerfile = readFileSync(join(root, "workers/tenant/container/Dockerfile"), "utf8");
const version = process.env.OPENCLAW_VERSION ?? /^ARG OPENCLAW_VERSION=(\S+)$/m.exec(dockerfile)?.[1];
if (version === undefined) throw new Error("the Dockerfile does not set OPENCLAW_VERSION");
/** Specifiers of the image's plug-ins, by name. */
const plugins = Object.fromEntries(
  [...dockerfile.matchAll(/"(@openclaw\/[\w-]+)@(\S+)"/g)].map(([, name, tag]) => [
    name,
    `${name}@${tag.replace(/\$\{OPENCLAW_VERSION\}/, version)}`,
  ]),
);

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

/** Installs a version if it is missing. @param variable sets the version @returns its program */
function installed(version, variable) {
  const directory = join(cache, `openclaw-${version}`);
  const program = join(directory, "node_modules/openclaw/openclaw.mjs");
  if (!existsSync(program)) {
    requireVersion(version, variable);
    install(version, directory);
    if (!existsSync(program))
      fail(`openclaw ${version} has no program openclaw.mjs. Set ${variable} to another published version.`);
  }
  // The first run completes the installation in its directory, which containers cannot write.
  run(process.execPath, [program, "--version"]);
  return program;
}

const INSTALL = ["install", "--no-fund", "--no-audit", "--ignore-scripts", "--loglevel=error"];

function install(version, directory) {
  process.stdout.write(`Installing openclaw ${version} into ${directory} (650 MB, about a minute)…\n`);
  const begun = Date.now();
  // In a temporary directory until it is complete.
  const partial = `${directory}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  writeFileSync(join(partial, "package.json"), JSON.stringify({ private: true }));
  run("npm", [...INSTALL, `openclaw@${version}`], { cwd: partial });
  rmSync(directory, { recursive: true, force: true });
  renameSync(partial, directory);
  process.stdout.write(`Installed openclaw ${version} in ${Math.round((Date.now() - begun) / 1000)} s.\n`);
}

/** Puts missing plug-ins among the program's own, each with its own dependencies, as in the image. */
function installPlugins(program) {
  for (const [name, specifier] of Object.entries(plugins)) {
    const plugin = join(dirname(program), "dist/extensions", basename(name));
    if (existsSync(plugin)) continue;
    process.stdout.write(`Installing ${specifier}…\n`);
    const partial = `${dirname(dirname(dirname(program)))}.partial-${process.pid}`;
    run("npm", [...INSTALL, "--global", "--prefix", partial, specifier]);
    renameSync(join(partial, "lib/node_modules", name), plugin);
    rmSync(partial, { recursive: true, force: true });
  }
}

const parameters = process.argv.slice(2);
const files = parameters.some((parameter) => parameter.startsWith("tests/")) ? [] : ["tests/openclaw"];
const program = installed(version, "OPENCLAW_VERSION");
installPlugins(program);
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
