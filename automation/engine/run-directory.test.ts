import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeRunDirectory } from "./run-directory.ts";
import { EngineRuns } from "./runs.ts";

test("a run removes directories of killed runs, but not of live runs or other hosts", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tenantry-temporary-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  vi.stubEnv("TMPDIR", directory);
  onTestFinished(() => void vi.unstubAllEnvs());
  const child = spawn(process.execPath, ["--eval", ""]);
  await once(child, "exit");
  const others = [`tenantry-run-elsewhere-${child.pid}-a`, "tenantry-run-", "other"].map((name) =>
    join(directory, name),
  );
  const left = join(directory, `tenantry-run-${hostname()}-${child.pid}-a`);
  for (const path of [...others, left]) mkdirSync(path);
  const own = makeRunDirectory();
  new EngineRuns({ variables: {}, memoryMib: 128 }).open().close();
  expect([own, ...others].map(existsSync)).toEqual([true, true, true, true]);
  expect(existsSync(left)).toBe(false);
});
