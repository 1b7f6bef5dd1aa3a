import { spawn } from "node:child_process";

/** Runs a program with its output on standard error. @returns its exit code; 127 if it cannot start, 1 if a signal ended it */
export function run(program, parameters, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, parameters, { ...options, stdio: ["ignore", 2, 2] });
    child.once("error", () => resolve(127));
    child.once("close", (code) => resolve(code ?? 1));
  });
}
