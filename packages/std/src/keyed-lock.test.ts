import { createGate } from "@tenantry/test-kit/gate";
import { describe, expect, test } from "vitest";
import { KeyedLock } from "./keyed-lock.ts";

describe("a lock by key", () => {
  test("runs tasks of one key in order and of another key concurrently", async () => {
    const lock = new KeyedLock();
    const events: string[] = [];
    const first = createGate();
    const task = (name: string, wait?: Promise<void>) => async () => {
      events.push(`${name} starts`);
      await wait;
      events.push(`${name} ends`);
    };
    const running = [lock.run("a", task("one", first.opened)), lock.run("a", task("two"))];
    await lock.run("b", task("other"));
    expect(events).toEqual(["one starts", "other starts", "other ends"]);
    first.open();
    await Promise.all(running);
    expect(events.slice(3)).toEqual(["one ends", "two starts", "two ends"]);
  });

  test("continues after a task that failed and returns its failure", async () => {
    const lock = new KeyedLock();
    const failed = lock.run("a", () => Promise.reject(new Error("no")));
    const next = lock.run("a", async () => "yes");
    await expect(failed).rejects.toThrow("no");
    await expect(next).resolves.toBe("yes");
  });
});
