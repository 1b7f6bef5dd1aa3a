/** Fails a unit test that starts a process; see `tiers.ts`. */
import childProcess, { ChildProcess } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { afterAll, beforeAll } from "vitest";

function refuse(): never {
  throw new Error("A unit test started a process. Name the module that starts it in tests/testing/tiers.ts.");
}

const { spawn } = ChildProcess.prototype as unknown as { spawn: () => unknown };
const { spawnSync, execFileSync, execSync } = childProcess;

beforeAll(() => {
  Object.assign(ChildProcess.prototype, { spawn: refuse });
  Object.assign(childProcess, { spawnSync: refuse, execFileSync: refuse, execSync: refuse });
  syncBuiltinESMExports();
});
afterAll(() => {
  Object.assign(ChildProcess.prototype, { spawn });
  Object.assign(childProcess, { spawnSync, execFileSync, execSync });
  syncBuiltinESMExports();
});
