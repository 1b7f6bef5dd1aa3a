import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { eachAtMost } from "./bounded.ts";

test("limits concurrency, processes each item once, and returns results in order", async () => {
  let now = 0;
  let most = 0;
  const answers = await eachAtMost(3, [5, 4, 3, 2, 1, 0], async (turns) => {
    now += 1;
    most = Math.max(most, now);
    for (let turn = 0; turn < turns; turn += 1) await setImmediate();
    now -= 1;
    return turns * 10;
  });
  expect(answers).toEqual([50, 40, 30, 20, 10, 0]);
  expect(most).toBe(3);
  expect(await eachAtMost(2, [], async () => 1)).toEqual([]);
});
