import { join } from "node:path";
import { expect, test } from "vitest";
import { everySuite } from "#bench/every-suite.ts";

const program = join(import.meta.dirname, "testing/suite-program.ts");
const run = (names: string[], signal = new AbortController().signal, measure = 60_000, end = 200) =>
  everySuite(names, "smoke", signal, { program, limits: { measure, end } });

test("returns the results of suites that end, and none of one that fails", async () => {
  const [good, failing] = await run(["good", "failing"], undefined, 60_000, 60_000);
  expect(good).toEqual({ name: "good", results: [] });
  expect(failing).toBeUndefined();
});

test("kills a suite whose process does not end after its report, and counts it as failed", async () => {
  expect(await run(["lingering"])).toEqual([undefined]);
});

test("stops a suite that takes too long, also when it ignores SIGTERM", async () => {
  expect(await run(["stuck", "stuck-deaf"], undefined, 500)).toEqual([undefined, undefined]);
});

test("stops running suites on an interruption, and starts no other", async () => {
  const interruption = new AbortController();
  const running = run(["stuck", "stuck-deaf", "good"], interruption.signal);
  interruption.abort();
  expect(await running).toEqual([undefined, undefined, undefined]);
});
