import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isSafe, objectCalls } from "./object-calls.ts";

const interrupted = Object.assign(new Error("Durable Object reset because its code was updated."), { retryable: true });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns calls of an object that fails with these errors first, and the number of stubs. A stub that failed stays broken. */
function counter(...errors: Error[]) {
  let stubs = 0;
  const stub = () => {
    stubs += 1;
    let broken: Error | undefined;
    const call = async () => {
      broken ??= errors.shift();
      if (broken !== undefined) throw broken;
      return 7;
    };
    return { count: call, add: call, fetch: (_: Request) => call() };
  };
  const calls = objectCalls(stub, { count: true, add: false, fetch: isSafe });
  return { calls, stubs: () => stubs };
}

const settled = async (call: Promise<unknown>) => {
  const result = call.then(
    (value) => value,
    (error: unknown) => error,
  );
  await vi.runAllTimersAsync();
  return result;
};

test("repeats an interrupted call with a new stub", async () => {
  const { calls, stubs } = counter(interrupted, interrupted, interrupted);
  expect(await settled(calls.count())).toBe(7);
  expect(stubs()).toBe(4);
});

test("fails after four attempts", async () => {
  const { calls, stubs } = counter(...Array.from({ length: 9 }, () => interrupted));
  expect(await settled(calls.count())).toBe(interrupted);
  expect(stubs()).toBe(4);
});

test.each([
  ["an overloaded object", Object.assign(new Error("overloaded"), { retryable: true, overloaded: true })],
  ["an error of the object", Object.assign(new Error("no"), { remote: true })],
])("does not repeat a call of %s", async (_, error) => {
  const { calls, stubs } = counter(error);
  expect(await settled(calls.count())).toBe(error);
  expect(stubs()).toBe(1);
});

test("does not repeat a call that may not run twice", async () => {
  const { calls, stubs } = counter(interrupted, interrupted);
  expect(await settled(calls.add())).toBe(interrupted);
  expect(await settled(calls.fetch(new Request("http://object/", { method: "POST", body: "one" })))).toBe(interrupted);
  expect(stubs()).toBe(2);
  // A broken stub is not used again.
  expect(await settled(calls.fetch(new Request("http://object/")))).toBe(7);
});
