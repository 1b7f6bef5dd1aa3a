import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { tryLock } from "./file-lock.ts";

/** Above the largest process id of Linux. */
const DEAD = 2 ** 22 + 1;

let lock: string;
beforeEach(() => {
  const directory = mkdtempSync(join(tmpdir(), "tenantry-lock-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  lock = join(directory, "lock");
});

test("is acquired once", async () => {
  expect(await Promise.all(Array.from({ length: 8 }, () => tryLock(lock)))).toContain(true);
  expect(await tryLock(lock)).toBe(false);
  expect(await readFile(lock, "utf8")).toBe(String(process.pid));
});

test("of a dead process is taken over by one of several", async () => {
  writeFileSync(lock, String(DEAD));
  // Each is at another step when the first has taken over.
  const acquiring: Promise<boolean>[] = [];
  for (let caller = 0; caller < 50; caller += 1) {
    acquiring.push(tryLock(lock));
    await setImmediate();
  }
  expect((await Promise.all(acquiring)).filter(Boolean)).toEqual([true]);
});

test("of a dead process can be taken over when another was killed while it took over", async () => {
  writeFileSync(lock, String(DEAD));
  const guard = `${lock}.takeover`;
  writeFileSync(guard, String(DEAD));
  expect(await tryLock(lock)).toBe(false);
  const long = new Date(Date.now() - 60_000);
  utimesSync(guard, long, long);
  expect([await tryLock(lock), await tryLock(lock)]).toEqual([false, true]);
});
