/** Merges the platform's keys into the tenant's configuration file of OpenClaw. OpenClaw validates the file before it starts. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { messengerOf, readSaved, withChannels, writeSaved } from "./deliveries/channels.mjs";

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
 * Writes the configuration: the tenant's with the platform's keys or, when OpenClaw rejects that, the last valid one. Channels that OpenClaw rejects are
 * left out, and the tenant's own keys of their messengers stay.
 *
 * @param options.channels see `connectedChannels`
 * @param options.accepted digest of the last configuration that this version accepted
 * @param options.rejected `rejected` of the last start of this version, so that known faults are not validated again
 * @param options.say writes a line to the log
 * @returns `accepted`, digest of the accepted configuration; `channels`, which are connected; `leftOut`, others with their kind and the reason; `rejected`
 * @throws Error when OpenClaw rejects all of them
 */
export function configure({ state, program, platform, channels, env, accepted, rejected, say }) {
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
  let recoverable = former;
  const write = ({ config, saved }) => {
    // Before and after, so that a stop between two writes loses no value.
    recoverable = { ...recoverable, ...saved };
    writeSaved(state, recoverable, writeWhole);
    writeWhole(path, `${JSON.stringify(config, null, 2)}\n`);
    writeSaved(state, saved, writeWhole);
  };
  let refusal = "";
  for (const candidate of candidates) {
    if (candidate === undefined) continue;
    const build = (included) => withChannels(withPlatform(candidate, platform), included, former);
    const whole = digestOf(build(channels).config);
    const isKnown = rejected?.digest === whole;
    let leftOut = isKnown ? rejected.channels : [];
    let isVerdict = isKnown;
    for (let isFirst = true; ; isFirst = false) {
      const included = without(channels, leftOut);
      const built = build(included);
      const digest = digestOf(built.config);
      if (isFirst && candidate === present && digest !== accepted) copyFileSync(path, `${path}.before`);
      write(built);
      const fault = digest === accepted ? undefined : check(program, env);
      if (fault === undefined) {
        if (digest !== accepted) copyFileSync(path, acceptedPath);
        const known = leftOut.length > 0 && isVerdict ? { digest: whole, channels: leftOut } : undefined;
        return { accepted: digest, channels: included, leftOut, rejected: known };
      }
      const reason = withoutSecrets(fault.reason, channels);
      refusal ||= reason;
      say(`OpenClaw rejected the configuration: ${reason}`);
      const faults = channelFaults(fault, included, leftOut);
      if (faults.length === 0) break;
      isVerdict = fault.issues.length > 0;
      leftOut = [...leftOut, ...faults.map((one) => ({ ...one, reason: withoutSecrets(one.reason, channels) }))];
      say(`the gateway is started without these channels: ${leftOut.map(({ kind }) => kind).join(", ")}`);
    }
    if (candidate === present) copyFileSync(`${path}.before`, join(state, REJECTED_FILE));
  }
  throw new Error(`OpenClaw rejected its configuration: ${refusal}`);
}

const without = (channels, others) => channels.filter(({ kind }) => !others.some((other) => other.kind === kind));

/**
 * Validates the configuration file with OpenClaw.
 *
 * @returns the fault, if there is one, with OpenClaw's `issues`; `isTimeout`: OpenClaw did not end
 */
function check(program, env) {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [program, "config", "validate", "--json"], {
    env,
    encoding: "utf8",
    timeout: CHECK_TIMEOUT_MS,
  });
  if (status === 0) return undefined;
  if (status === null) return { reason: error?.message ?? "it was ended", issues: [], isTimeout: true };
  const issues = issuesOf(stdout);
  const reason = issues.map(textOf).join("; ") || `${stdout}${stderr}`.trim().split("\n").slice(-5).join(" ");
  return { reason: reason || `it ended with code ${status}`, issues, isTimeout: false };
}

const textOf = ({ path, message }) => `${path}: ${message}`;

function issuesOf(stdout) {
  try {
    const { issues } = JSON.parse(stdout);
    return issues.filter(({ path, message }) => typeof path === "string" && typeof message === "string");
  } catch {
    return [];
  }
}

/**
 * Returns the channels to leave out after a fault, with the reason of each: those that it names or, when it names none, all. None when leaving out more
 * channels cannot help.
 */
function channelFaults({ reason, issues, isTimeout }, included, leftOut) {
  const named = (kind) => {
    const section = `channels.${messengerOf(kind)}`;
    return issues.filter(({ path }) => path === section || path.startsWith(`${section}.`));
  };
  // Then the tenant's own keys of that messenger are invalid.
  if (isTimeout || leftOut.some(({ kind }) => named(kind).length > 0)) return [];
  const faults = included.flatMap(({ kind }) => {
    const own = named(kind);
    return own.length > 0 ? [{ kind, reason: own.map(textOf).join("; ") }] : [];
  });
  return faults.length > 0 ? faults : included.map(({ kind }) => ({ kind, reason }));
}

/** Removes the channels' secrets and the keys of their doors from a text. */
const withoutSecrets = (text, channels) =>
  channels
    .flatMap(({ url, secrets }) => [url, ...Object.values(secrets)])
    .reduce((masked, secret) => (secret ? masked.replaceAll(secret, "[secret]") : masked), text);
