import { ScriptError } from "./script-error.mjs";

/** Parses JSON; `undefined` when it is invalid. */
export function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses the command in an environment variable: a JSON array of a program and its parameters.
 *
 * @returns `undefined` when the variable is absent or empty
 * @throws ScriptError 64 when it is invalid
 */
export function readCommand(env, name) {
  if (!env[name]) return undefined;
  const command = parseJson(env[name]);
  if (!Array.isArray(command) || command.length === 0 || command.some((part) => typeof part !== "string"))
    throw new ScriptError(64, `${name} must be a JSON array of strings`);
  return command;
}
