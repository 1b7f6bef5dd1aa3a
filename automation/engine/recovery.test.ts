import { hostname } from "node:os";
import { expect, test } from "vitest";
import { hasPendingOperations, isDead, lockHolders } from "./recovery.ts";

const REFUSAL = `error: the stack is currently locked by 2 lock(s). Either wait for the other process(es) to end or delete the lock file with \`pulumi cancel\`.
  file:///states/.pulumi/locks/organization/tenantry/production-acme/1.json: created by root@first (pid 41) at 2026-11-23T03:00:00Z
  file:///states/.pulumi/locks/organization/tenantry/production-acme/2.json: created by ada@second (pid 42) at 2026-11-23T03:00:01Z`;

test("a refusal names who holds the stack", () => {
  expect(lockHolders(REFUSAL)).toEqual([
    { username: "root", hostname: "first", pid: 41, timestamp: "2026-11-23T03:00:00Z" },
    { username: "ada", hostname: "second", pid: 42, timestamp: "2026-11-23T03:00:01Z" },
  ]);
  expect(lockHolders("[409] Conflict: Another update is currently in progress.")).toEqual([]);
});

test("a holder on another host is dead where that is known alone, and one here when its process is no engine", () => {
  const [first, second] = lockHolders(REFUSAL);
  if (first === undefined || second === undefined) throw new Error("no holders");
  expect([isDead(first, { deadHosts: ["first"] }), isDead(second, { deadHosts: ["first"] })]).toEqual([true, false]);
  // This process lives, and is no engine: its number was used again.
  expect(isDead({ ...first, hostname: hostname(), pid: process.pid }, { deadHosts: [] })).toBe(true);
});

test("creates whose end nobody saw are found in an exported state", () => {
  expect(hasPendingOperations({ resources: [] })).toBe(false);
  expect(hasPendingOperations({ pending_operations: null })).toBe(false);
  expect(hasPendingOperations({ pending_operations: [{ type: "creating" }] })).toBe(true);
});
