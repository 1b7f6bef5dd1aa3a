import { expect, test } from "vitest";
import { runModule } from "./testing/printed.ts";

/** Declares a resource with mocks of the engine. Prints the number of debug messages and warnings, and whether stack traces are recorded. */
const program = (setup: string) => `
  ${setup}
  const { CustomResource, runtime, log } = await import("@pulumi/pulumi");
  const { createRequire } = await import("node:module");
  const { debuggablePromise } = createRequire(import.meta.url)("@pulumi/pulumi/runtime/debuggable.js");
  await runtime.setMocks({ newResource: ({ name }) => ({ id: name, state: {} }), call: () => ({}) });
  let messages = 0;
  const engine = { log: (_, answered) => (messages++, answered(null, {})) };
  createRequire(import.meta.url)("@pulumi/pulumi/runtime/settings.js").getEngine = () => engine;
  const { urn } = new CustomResource("a:b:C", "one", {});
  await new Promise((resolve) => urn.apply(resolve));
  await log.debug("debug");
  const quiet = messages;
  await log.warn("warning");
  const promise = Promise.resolve();
  await debuggablePromise(promise, "context");
  console.log(JSON.stringify([quiet, messages - quiet, promise._debugStackTrace.includes(" at "), new Error().stack.includes(" at ")]));
  process.exit();
`;

test("sends warnings but no debug messages, and records no stack traces of promises", () => {
  const lean = JSON.parse(runModule(program(`await import("./packages/automation-api/src/lean-sdk.ts");`)));
  expect(lean).toEqual([0, 1, false, true]);
  const [messages] = JSON.parse(runModule(program("")));
  expect(messages).toBeGreaterThan(2);
});

test("records stack traces of promises when PULUMI_DEBUG_PROMISE_LEAKS is set", () => {
  const setup = `process.env.PULUMI_DEBUG_PROMISE_LEAKS = "1"; await import("./packages/automation-api/src/lean-sdk.ts");`;
  expect(JSON.parse(runModule(program(setup)))).toEqual([0, 1, true, true]);
});
