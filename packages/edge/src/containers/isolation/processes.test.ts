import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { CONTAINER_MARKER, endProcesses, findProcesses } from "./processes.ts";

const SOON = { timeout: 20_000, interval: 5 };

let marker: string;
beforeEach(() => {
  marker = `test-${process.pid}-${Math.random()}`;
});

/** Starts a shell that reads its next command from the test. */
function shell(script: string, env: Record<string, string>): ChildProcess & { pid: number } {
  const child = spawn("sh", ["-c", script], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["pipe", "ignore", "inherit"],
    detached: true,
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  });
  if (child.pid === undefined) throw new Error("The shell did not start.");
  return Object.assign(child, { pid: child.pid });
}

function isGroup(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}

const seen = () =>
  findProcesses(marker).map(({ pid, variable, state }) => ({ pid, kind: variable("KIND"), stopped: state === "T" }));

test("are found when they start, execute another program, stop and end", async () => {
  expect(seen()).toEqual([]);
  const child = shell(`read line; export KIND="script:$$"; exec sh -c 'read line'`, {
    [CONTAINER_MARKER]: `${marker}/one`,
  });
  const { pid } = child;
  await expect.poll(seen, SOON).toEqual([{ pid, kind: undefined, stopped: false }]);
  child.stdin?.write("go on\n");
  await expect.poll(seen, SOON).toEqual([{ pid, kind: `script:${pid}`, stopped: false }]);
  child.kill("SIGSTOP");
  await expect.poll(seen, SOON).toEqual([{ pid, kind: `script:${pid}`, stopped: true }]);
  child.kill("SIGCONT");
  child.stdin?.write("end\n");
  await expect.poll(seen, SOON).toEqual([]);
});

test("are those of a marker and its children, not of another with the same prefix", async () => {
  for (const one of [marker, `${marker}/one`, `${marker}s`, `another/${marker}`])
    shell("read line", { [CONTAINER_MARKER]: one });
  await expect
    .poll(() => findProcesses(marker).map(({ container }) => container), SOON)
    .toEqual(expect.arrayContaining([marker, `${marker}/one`]));
  expect(findProcesses(marker)).toHaveLength(2);
});

test("are killed, with members of their groups that have cleared their environment", async () => {
  const child = shell("trap '' TERM; env -i sleep 60 & read line", { [CONTAINER_MARKER]: marker });
  await expect.poll(seen, SOON).toHaveLength(1);
  const ended = once(child, "exit");
  expect(await endProcesses(marker)).toBeGreaterThan(0);
  expect(await ended).toEqual([null, "SIGKILL"]);
  // Reaping orphans may take a moment.
  await expect.poll(() => isGroup(child.pid), SOON).toBe(false);
  expect(await endProcesses(marker)).toBe(0);
});
