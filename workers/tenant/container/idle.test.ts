/** The first process of the image. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../testing/harness.ts";

interface Idle {
  child: ChildProcess;
  ended: Promise<unknown[]>;
  run: string;
  isNoted: () => boolean;
}

function begin(env: Record<string, string> = {}, prepare: (run: string) => void = () => {}): Idle {
  const run = mkdtempSync(join(tmpdir(), "idle-"));
  prepare(run);
  const child = spawn("sh", [join(import.meta.dirname, "idle.sh")], {
    detached: true,
    env: { PATH: process.env.PATH, RUN_DIR: run, ...env },
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  onTestFinished(() => {
    try {
      // Without a namespace, its child process survives.
      process.kill(-(child.pid ?? 0), "SIGKILL");
    } catch {
      // It has already ended.
    }
    rmSync(run, { recursive: true });
  });
  return { child, ended, run, isNoted: () => existsSync(join(run, "ending")) };
}

/** The script traps signals before it removes the directory. */
const stale = (run: string) => mkdirSync(join(run, "ending"));

test("creates the directory on TERM and waits for a last backup until ENDING_SECONDS, also after another TERM", async () => {
  const { child, ended, isNoted } = begin({ ENDING_SECONDS: "1" }, stale);
  await eventually(() => !isNoted());
  const began = Date.now();
  child.kill("SIGTERM");
  await eventually(isNoted);
  expect(child.exitCode).toBe(null);
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  expect(Date.now() - began).toBeGreaterThanOrEqual(1_000);
  expect(isNoted()).toBe(true);
});

test("ends immediately on INT, or when the directory cannot be created", async () => {
  const interrupted = begin({}, stale);
  await eventually(() => !interrupted.isNoted());
  interrupted.child.kill("SIGINT");
  expect(await interrupted.ended).toEqual([0, null]);
  const lost = begin({}, stale);
  await eventually(() => !lost.isNoted());
  symlinkSync("/nowhere", join(lost.run, "ending"));
  lost.child.kill("SIGTERM");
  expect(await lost.ended).toEqual([0, null]);
});
