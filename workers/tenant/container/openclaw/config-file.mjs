/** OpenClaw's configuration file: the platform's keys in the tenant's file, checked by OpenClaw before it starts with them. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

export const CONFIG_FILE = "openclaw.json";
/** The last that OpenClaw accepted. */
const ACCEPTED_FILE = "openclaw.json.accepted";
/** A tenant's file that could not be used, kept to be looked at. */
const REJECTED_FILE = "openclaw.json.rejected";
const CHECK_TIMEOUT_MS = 120_000;

/** `base` with the keys of `over` in it, objects key by key. */
export function merged(base, over) {
  if (!isObject(base) || !isObject(over)) return over;
  const result = { ...base };
  for (const [key, value] of Object.entries(over)) result[key] = key in base ? merged(base[key], value) : value;
  return result;
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Writes a file that is whole at any moment. */
export function writeWhole(path, text) {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** A configuration, with comments and the like where OpenClaw's own parser is at hand; `undefined` when it is none. */
function parsed(text, program) {
  try {
    return JSON.parse(text);
  } catch {
    try {
      const value = createRequire(program)("json5").parse(text);
      return isObject(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }
}

/** The configuration that a file holds; `undefined` when there is none that can be read. */
export function readConfig(path, program) {
  return existsSync(path) ? parsed(readFileSync(path, "utf8"), program) : undefined;
}

/** A file with the platform's keys in it. */
export function withPlatform(config, platform) {
  const result = merged(config, platform);
  // OpenClaw does not start with a shared secret beside this mode.
  delete result.gateway.auth.token;
  return result;
}

/** Of what matters of a configuration: not when it was written, nor who has been here. */
function digestOf(config) {
  const { meta: _, ...rest } = config;
  const { identityScopes: __, ...auth } = rest.gateway.auth;
  const relevant = JSON.stringify({ ...rest, gateway: { ...rest.gateway, auth } });
  return createHash("sha256").update(relevant).digest("hex");
}

/**
 * Writes the configuration: the tenant's own with the platform's keys or, when OpenClaw refuses that, the last that it accepted.
 *
 * @param options.accepted digest of what this version accepted last
 * @param options.say takes a line for the log
 * @returns digest of what it accepts now
 * @throws Error when it accepts neither
 */
export function configure({ state, program, platform, env, accepted, say }) {
  const path = join(state, CONFIG_FILE);
  const acceptedPath = join(state, ACCEPTED_FILE);
  const present = readConfig(path, program);
  const candidates = [present ?? {}, readConfig(acceptedPath, program), {}];
  if (present === undefined && existsSync(path)) {
    say(`${CONFIG_FILE} cannot be read: it is kept as ${REJECTED_FILE}, and the last good one is used`);
    copyFileSync(path, join(state, REJECTED_FILE));
    candidates.shift();
  }
  let refusal = "";
  for (const candidate of candidates) {
    if (candidate === undefined) continue;
    const config = withPlatform(candidate, platform);
    const digest = digestOf(config);
    if (candidate === present && digest !== accepted) copyFileSync(path, `${path}.before`);
    writeWhole(path, `${JSON.stringify(config, null, 2)}\n`);
    if (digest === accepted) return digest;
    const fault = check(program, env);
    if (fault === undefined) {
      copyFileSync(path, acceptedPath);
      return digest;
    }
    refusal ||= fault;
    say(`OpenClaw refuses the configuration: ${fault}`);
    if (candidate === present) copyFileSync(`${path}.before`, join(state, REJECTED_FILE));
  }
  throw new Error(`OpenClaw refuses its configuration: ${refusal}`);
}

/** What OpenClaw has against the configuration file; `undefined` when nothing. */
function check(program, env) {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [program, "config", "validate"], {
    env,
    encoding: "utf8",
    timeout: CHECK_TIMEOUT_MS,
  });
  if (status === 0) return undefined;
  if (error !== undefined) return error.message;
  return `${stdout}${stderr}`.trim().split("\n").slice(-5).join(" ") || `it ended with code ${status}`;
}
