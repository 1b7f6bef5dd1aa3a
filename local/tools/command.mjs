/** Runs a program whose output goes to standard error. */
import { spawn } from "node:child_process";

/**
 * @param {string} program
 * @param {readonly string[]} parameters
 * @param {import("node:child_process").SpawnOptions} options
 * @returns {Promise<number>} its exit code; 127 when it could not be started, 1 when a signal ended it
 */
export function run(program, parameters, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, parameters, { ...options, stdio: ["ignore", 2, 2] });
    child.once("error", () => resolve(127));
    child.once("close", (code) => resolve(code ?? 1));
  });
}
