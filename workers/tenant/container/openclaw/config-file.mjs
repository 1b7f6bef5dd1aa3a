/** Merges the platform's keys into the tenant's configuration file of OpenClaw. OpenClaw validates the file before it starts. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { readSaved, withChannels, writeSaved } from "./deliveries/channels.mjs";

export const CONFIG_FILE = "openclaw.json";
/** The last valid configuration. */
const ACCEPTED_FILE = "openclaw.json.accepted";
/** A copy of a tenant's invalid configuration. */
const REJECTED_FILE = "openclaw.json.rejected";
const CHECK_TIMEOUT_MS = 120_000;

/** Returns `base` with the keys of `over`. Objects are merged recursively. */
export function merged(base, over) {
  if (!isObject(base) || !isObject(over)) return over;
  const result = { ...base };
  for (const [key, value] of Object.entries(over)) result[key] = key in base ? merged(base[key], value) : value;
  return result;
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Writes a file atomically. */
export function writeWhole(path, text) {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Parses a configuration: as JSON5 when OpenClaw's parser is available. @returns `undefined` when it is invalid */
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

/** Reads a configuration; `undefined` when it is missing or invalid. */
export function readConfig(path, program) {
  return existsSync(path) ? parsed(readFileSync(path, "utf8"), program) : undefined;
}

/** Returns a configuration with the platform's keys. */
function withPlatform({ hooks, ...config }, platform) {
  // OpenClaw does not start with invalid hooks, and has not validated hooks that are off.
  const active = hooks?.enabled === true ? hooks : hooks?.internal && { internal: hooks.internal };
  const result = merged({ ...config, ...(active && { hooks: active }) }, platform);
  // In this mode, OpenClaw does not start with a shared secret.
  delete result.gateway.auth.token;
  return result;
}

const hasInactiveHooks = ({ hooks } = {}) =>
  isObject(hooks) && hooks.enabled !== true && Object.keys(hooks).some((key) => key !== "internal");

/** Returns a digest of a configuration without its metadata and known users. OpenClaw changes the order of keys. */
function digestOf(config) {
  const { meta: _, ...rest } = config;
  const { identityScopes: __, ...auth } = rest.gateway.auth;
  const ordered = (_key, value) => (isObject(value) ? Object.fromEntries(Object.entries(value).sort()) : value);
  const relevant = JSON.stringify({ ...rest, gateway: { ...rest.gateway, auth } }, ordered);
  return createHash("sha256").update(relevant).digest("hex");
}

/**
 * Writes the configuration: the tenant's with the platform's keys or, when OpenClaw rejects that, the last valid one.
 *
 * @param options.channels see `connectedChannels`
 * @param options.accepted digest of the last configuration that this version accepted
 * @param options.say writes a line to the log
 * @returns digest of the accepted configuration
 * @throws Error when OpenClaw rejects all of them
 */
export function configure({ state, program, platform, channels, env, accepted, say }) {
  const path = join(state, CONFIG_FILE);
  const acceptedPath = join(state, ACCEPTED_FILE);
  const present = readConfig(path, program);
  const candidates = [present ?? {}, readConfig(acceptedPath, program), {}];
  if (present === undefined && existsSync(path)) {
    say(`${CONFIG_FILE} is invalid. It was copied to ${REJECTED_FILE}, and the last valid configuration is used.`);
    copyFileSync(path, join(state, REJECTED_FILE));
    candidates.shift();
  }
  if (hasInactiveHooks(present))
    say(`hooks of ${CONFIG_FILE} were off and are replaced by the platform's. ${CONFIG_FILE}.before has them.`);
  const former = readSaved(state);
  let refusal = "";
  for (const candidate of candidates) {
    if (candidate === undefined) continue;
    const { config, saved } = withChannels(withPlatform(candidate, platform), channels, former);
    const digest = digestOf(config);
    if (candidate === present && digest !== accepted) copyFileSync(path, `${path}.before`);
    // Before and after, so that a stop between two writes loses no value.
    writeSaved(state, { ...former, ...saved }, writeWhole);
    writeWhole(path, `${JSON.stringify(config, null, 2)}\n`);
    writeSaved(state, saved, writeWhole);
    if (digest === accepted) return digest;
    const fault = check(program, env);
    if (fault === undefined) {
      copyFileSync(path, acceptedPath);
      return digest;
    }
    refusal ||= fault;
    say(`OpenClaw rejected the configuration: ${fault}`);
    if (candidate === present) copyFileSync(`${path}.before`, join(state, REJECTED_FILE));
  }
  throw new Error(`OpenClaw rejected its configuration: ${refusal}`);
}

/** Validates the configuration file with OpenClaw. @returns the fault, if there is one */
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
