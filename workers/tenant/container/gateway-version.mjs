/**
 * Which gateway wrote a state, and which one the image has.
 *
 * A gateway that tells its version writes it into its state directory before it first changes anything there, as JSON:
 * `.tenantry-gateway.json`, `{ "name", "version" }` and whatever else it keeps there. It goes with backups.
 */
import { execFile } from "node:child_process";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readCommand } from "./command.mjs";
import { ScriptError } from "./script-error.mjs";

export const GATEWAY_RECORD = ".tenantry-gateway.json";
/** What earlier images of ours wrote instead. */
const EARLIER_RECORD = { file: ".tenantry-openclaw.json", name: "openclaw" };
const OPENCLAW_RUN = fileURLToPath(new URL("./openclaw/run.mjs", import.meta.url));
const OPENCLAW_VERSION = fileURLToPath(new URL("./openclaw/version.mjs", import.meta.url));
/** The command of the gateway that an image has which names none. */
export const OPENCLAW = ["node", OPENCLAW_RUN];
const COMMAND_TIMEOUT_MS = 30_000;
/** As workers/contracts/tenant/sandbox.ts has it. */
const LABEL = /^[A-Za-z0-9][A-Za-z0-9@._+/-]{0,79}$/;

const isLabel = (value) => typeof value === "string" && LABEL.test(value);
export const isGateway = (value) => isLabel(value?.name) && isLabel(value?.version);

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

/** A state directory's record, with all that is in it; `undefined` where no gateway told its version. */
export function readRecord(stateDirectory) {
  const earlier = readJson(join(stateDirectory, EARLIER_RECORD.file));
  const record =
    readJson(join(stateDirectory, GATEWAY_RECORD)) ?? (earlier && { ...earlier, name: EARLIER_RECORD.name });
  return isGateway(record) ? record : undefined;
}

/** Which gateway wrote a state; `undefined` where none told. */
export function stateGateway(stateDirectory) {
  const record = readRecord(stateDirectory);
  return record && { name: record.name, version: record.version };
}

/** @param record `{ name, version }` and what else the gateway keeps there */
export function writeRecord(stateDirectory, record) {
  const path = join(stateDirectory, GATEWAY_RECORD);
  writeFileSync(`${path}.new`, JSON.stringify(record), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Directory and name of a script, by which it is known in whichever place the image's scripts are seen. */
const placeOf = (script) => script.slice(dirname(dirname(script)).length);

/** What asks OpenClaw, whose scripts lie beside each other. */
function openclawVersion(env) {
  const command = readCommand(env, "GATEWAY_COMMAND") ?? OPENCLAW;
  const [run, version] = [OPENCLAW_RUN, OPENCLAW_VERSION].map(placeOf);
  if (!command.some((part) => part.endsWith(run))) return undefined;
  return command.map((part) => (part.endsWith(run) ? part.slice(0, -run.length) + version : part));
}

/**
 * The gateway that the image has, as `GATEWAY_VERSION_COMMAND` prints it: a JSON array of a command and its arguments. By default
 * OpenClaw is asked, where `GATEWAY_COMMAND` names no other gateway.
 *
 * @returns `undefined` where the image does not tell
 * @throws ScriptError 64 when a setting is wrong, 69 when the command does not answer as it should
 */
export async function imageGateway(env) {
  const command = readCommand(env, "GATEWAY_VERSION_COMMAND") ?? openclawVersion(env);
  if (command === undefined) return undefined;
  const [program, ...parameters] = command;
  const { error, stdout } = await new Promise((resolve) => {
    execFile(program, parameters, { env, timeout: COMMAND_TIMEOUT_MS, killSignal: "SIGKILL" }, (error, stdout) =>
      resolve({ error, stdout }),
    );
  });
  let told;
  try {
    told = JSON.parse(stdout);
  } catch {
    told = undefined;
  }
  if (error !== null || !isGateway(told))
    throw new ScriptError(69, "the image's GATEWAY_VERSION_COMMAND does not tell its gateway's name and version");
  return { name: told.name, version: told.version };
}

/**
 * Negative when `a` is the older one. Numbers count as numbers; letters, as in `1.2.0-beta.1`, come before the version without them, and
 * numbers, as in `2026.9.6-2`, after it.
 */
export function compareVersions(a, b) {
  const parts = (version) => (version.replace(/^v(?=\d)/, "").split("+")[0] ?? "").split(/[.-]/);
  const rank = (part = "0") => (/^\d+$/.test(part) ? Number(part) : -1);
  const [left, right] = [parts(a), parts(b)];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = rank(left[index]) - rank(right[index]);
    if (difference !== 0) return difference;
    if (rank(left[index]) === -1 && left[index] !== right[index]) return left[index] < right[index] ? -1 : 1;
  }
  return 0;
}

/** `older`, `same` or `newer`: what a state is to an image; `unknown` where one of them does not tell or they are different gateways. */
export function ageOf(state, image) {
  if (state === undefined || image === undefined || state.name !== image.name) return "unknown";
  const order = compareVersions(state.version, image.version);
  return order === 0 ? "same" : order < 0 ? "older" : "newer";
}
