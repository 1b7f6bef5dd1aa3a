/**
 * The gateway versions of a state and of the image.
 *
 * A gateway writes its version to `.tenantry-gateway.json` in its state directory before it first changes anything there: JSON with `name`,
 * `version` and optional fields of its own. Backups include the file.
 */
import { execFile } from "node:child_process";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseJson, readCommand } from "./command.mjs";
import { ScriptError } from "./script-error.mjs";

export { ageOf, compareVersions } from "./state/version-order.mjs";

export const GATEWAY_RECORD = ".tenantry-gateway.json";
/** The record of earlier images. */
const EARLIER_RECORD = { file: ".tenantry-openclaw.json", name: "openclaw" };
const OPENCLAW_RUN = fileURLToPath(new URL("./openclaw/run.mjs", import.meta.url));
/** The gateway's command when the image sets none. */
export const OPENCLAW = ["node", OPENCLAW_RUN];
const COMMAND_TIMEOUT_MS = 30_000;
/** As in workers/contracts/tenant/sandbox.ts. */
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

/** Returns a state directory's record with all fields, if it has one. */
export function readRecord(stateDirectory) {
  const earlier = readJson(join(stateDirectory, EARLIER_RECORD.file));
  const record =
    readJson(join(stateDirectory, GATEWAY_RECORD)) ?? (earlier && { ...earlier, name: EARLIER_RECORD.name });
  return isGateway(record) ? record : undefined;
}

/** Returns the gateway that wrote a state, if it is known. */
export function stateGateway(stateDirectory) {
  const record = readRecord(stateDirectory);
  return record && { name: record.name, version: record.version };
}

/** @param record `{ name, version }` and optional fields of the gateway */
export function writeRecord(stateDirectory, record) {
  const path = join(stateDirectory, GATEWAY_RECORD);
  writeFileSync(`${path}.new`, JSON.stringify(record), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Returns the directory and name of a script, which do not depend on where the image's scripts are mounted. */
const relativePath = (script) => script.slice(dirname(dirname(script)).length);

/** Returns the command of another script of OpenClaw's folder, if `GATEWAY_COMMAND` runs OpenClaw. */
export function openclawScript(env, name) {
  const command = readCommand(env, "GATEWAY_COMMAND") ?? OPENCLAW;
  const run = relativePath(OPENCLAW_RUN);
  if (!command.some((part) => part.endsWith(run))) return undefined;
  return command.map((part) => (part.endsWith(run) ? `${part.slice(0, -"run.mjs".length)}${name}` : part));
}

/**
 * Returns the image's gateway, as printed by `GATEWAY_VERSION_COMMAND`, a JSON array of a command and its arguments. Default: OpenClaw's
 * version command, unless `GATEWAY_COMMAND` runs another gateway.
 *
 * @returns `undefined` when the image has no version command
 * @throws ScriptError 64 when a setting is invalid, 69 when the command fails
 */
export async function imageGateway(env) {
  const command = readCommand(env, "GATEWAY_VERSION_COMMAND") ?? openclawScript(env, "version.mjs");
  if (command === undefined) return undefined;
  const [program, ...parameters] = command;
  const { error, stdout } = await new Promise((resolve) => {
    execFile(program, parameters, { env, timeout: COMMAND_TIMEOUT_MS, killSignal: "SIGKILL" }, (error, stdout) =>
      resolve({ error, stdout }),
    );
  });
  const gateway = parseJson(stdout);
  if (error !== null || !isGateway(gateway))
    throw new ScriptError(69, "the image's GATEWAY_VERSION_COMMAND does not print its gateway's name and version");
  return { name: gateway.name, version: gateway.version };
}
