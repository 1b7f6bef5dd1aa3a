import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hasPendingOperations, isDead, lockHolders } from "./recovery.ts";

const REFUSAL = `error: the stack is currently locked by 2 lock(s). Either wait for the other process(es) to end or delete the lock file with \`pulumi cancel\`.
  file:///states/.pulumi/locks/organization/tenantry/production-acme/1.json: created by root@first (pid 41) at 2026-11-23T03:00:00Z
  file:///states/.pulumi/locks/organization/tenantry/production-acme/2.json: created by ada@second (pid 42) at 2026-11-23T03:00:01Z`;

test("parses the lock holders of a refusal", () => {
  expect(lockHolders(REFUSAL)).toEqual([
    { username: "root", hostname: "first", pid: 41, timestamp: "2026-11-23T03:00:00Z" },
    { username: "ada", hostname: "second", pid: 42, timestamp: "2026-11-23T03:00:01Z" },
  ]);
  expect(lockHolders("[409] Conflict: Another update is currently in progress.")).toEqual([]);
});

test("a holder is dead on another host when its run has ended, and on this host when its process is not an engine", () => {
  const [first, second] = lockHolders(REFUSAL);
  if (first === undefined || second === undefined) throw new Error("no holders");
  const noted = { hostname: "first", pid: 41, at: "2026-11-23T03:02:00.000Z" };
  const dead = { deadEngines: [noted] };
  expect([isDead(first, dead), isDead(second, dead)]).toEqual([true, false]);
  // Another run on the same host, and one with a reused process ID.
  expect(isDead({ ...first, pid: 43 }, dead)).toBe(false);
  expect(isDead({ ...first, timestamp: "2026-11-25T03:00:00Z" }, dead)).toBe(false);
  // This process is alive but not an engine.
  expect(isDead({ ...first, hostname: hostname(), pid: process.pid }, {})).toBe(true);
});

test.runIf(process.platform === "linux")(
  "a killed engine is dead before its parent has read its exit code",
  async () => {
    const directory = mkdtempSync(join(tmpdir(), "tenantry-engine-"));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const engine = join(directory, "pulumi");
    symlinkSync("/bin/sleep", engine);
    // `sleep` does not wait for child processes.
    const parent = spawn("/bin/sh", ["-c", `${engine} 60 & echo $!; exec sleep 60`], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void parent.kill("SIGKILL"));
    const pid = Number(String((await once(parent.stdout, "data"))[0]));
    const nameAndState = () => /\((.*)\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.slice(1) ?? [];
    const holder = { username: "root", hostname: hostname(), pid, timestamp: "2026-11-23T03:00:00Z" };
    await expect.poll(() => nameAndState()[0]).toBe("pulumi");
    expect(isDead(holder, {})).toBe(false);
    await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, "utf8").trim()).toBe("sleep");
    process.kill(pid, "SIGKILL");
    await expect.poll(nameAndState).toEqual(["pulumi", "Z"]);
    expect(isDead(holder, {})).toBe(true);
  },
);

test("finds pending operations in an exported state", () => {
  expect(hasPendingOperations({ resources: [] })).toBe(false);
  expect(hasPendingOperations({ pending_operations: null })).toBe(false);
  expect(hasPendingOperations({ pending_operations: [{ type: "creating" }] })).toBe(true);
});
