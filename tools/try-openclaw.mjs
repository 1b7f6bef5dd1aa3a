/**
 * Runs the acceptance tests against the real OpenClaw: `npm run try:openclaw`. It is 650 MB and no dependency of the project, so it is
 * installed once, in the version of the image, into a cache outside the checkout.
 *
 * Environment: OPENCLAW_VERSION, default the image's; OPENCLAW_VERSION_BEFORE, an older one that it takes over from, default below,
 * none when empty; XDG_CACHE_HOME, default `~/.cache`.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const dockerfile = readFileSync(join(root, "workers/tenant/container/Dockerfile"), "utf8");
const version = process.env.OPENCLAW_VERSION ?? /^ARG OPENCLAW_VERSION=(\S+)$/m.exec(dockerfile)?.[1];
if (version === undefined) throw new Error("the Dockerfile names no version of OpenClaw");

const before = process.env.OPENCLAW_VERSION_BEFORE ?? "2026.9.5";

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "tenantry");

function run(command, parameters, options = {}) {
  const { status, error } = spawnSync(command, parameters, { stdio: "inherit", ...options });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** A version's program, installed when it is not there. */
function installed(version) {
  const directory = join(cache, `openclaw-${version}`);
  const program = join(directory, "node_modules/openclaw/openclaw.mjs");
  if (existsSync(program)) return program;
  process.stdout.write(`Installing openclaw ${version} into ${directory} (650 MB, a few minutes).\n`);
  // Beside its place until it is whole.
  const making = `${directory}.making`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true });
  writeFileSync(join(making, "package.json"), JSON.stringify({ private: true }));
  run("npm", ["install", "--no-fund", "--no-audit", "--ignore-scripts", "--loglevel=error", `openclaw@${version}`], {
    cwd: making,
  });
  rmSync(directory, { recursive: true, force: true });
  renameSync(making, directory);
  return program;
}

const vitest = join(root, "node_modules/vitest/vitest.mjs");
// A file at a time: an OpenClaw that starts takes a machine of two cores to itself.
run(process.execPath, [vitest, "run", "--no-file-parallelism", "tests/openclaw", ...process.argv.slice(2)], {
  cwd: root,
  env: {
    ...process.env,
    TENANTRY_OPENCLAW: installed(version),
    ...(before !== "" && { TENANTRY_OPENCLAW_BEFORE: installed(before) }),
  },
});
