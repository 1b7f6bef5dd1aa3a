import { join } from "node:path";
import { expect, test } from "vitest";
import { everySuite } from "#bench/every-suite.ts";

const program = join(import.meta.dirname, "testing/suite-program.ts");
const run = (names: string[], signal = new AbortController().signal, measure = 60_000, end = 200) =>
  everySuite(names, "smoke", signal, { program, limits: { measure, end } });

test("suites that end report what they measured, and one that fails reports nothing", async () => {
  const [good, failing] = await run(["good", "failing"], undefined, 60_000, 60_000);
  expect(good).toEqual({ name: "good", results: [] });
  expect(failing).toBeUndefined();
});

test("a suite whose process stays after its report is killed, and counts as failed", async () => {
  expect(await run(["lingering"])).toEqual([undefined]);
});

test("a suite that takes too long is ended, also when it ignores SIGTERM", async () => {
  expect(await run(["stuck", "stuck-deaf"], undefined, 500)).toEqual([undefined, undefined]);
});

test("an interruption ends the suites that run, and starts no other", async () => {
  const interruption = new AbortController();
  const running = run(["stuck", "stuck-deaf", "good"], interruption.signal);
  interruption.abort();
  expect(await running).toEqual([undefined, undefined, undefined]);
});
