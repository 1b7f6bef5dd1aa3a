import { ScriptError } from "./script-error.mjs";

/**
 * The command in an environment variable: a JSON array of a program and its parameters.
 *
 * @returns `undefined` when the variable is absent or empty
 * @throws ScriptError 64 when it holds something else
 */
export function readCommand(env, name) {
  if (!env[name]) return undefined;
  let command;
  try {
    command = JSON.parse(env[name]);
  } catch {
    command = undefined;
  }
  if (!Array.isArray(command) || command.length === 0 || command.some((part) => typeof part !== "string"))
    throw new ScriptError(64, `${name} is not a JSON array of strings`);
  return command;
}
