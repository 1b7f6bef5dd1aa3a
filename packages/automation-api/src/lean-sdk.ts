/**
 * Turns off debugging features of the Pulumi SDK that take a fifth of a program's processor time: debug messages (each a call of the engine
 * that waits for the previous one) and the stack trace of each promise. Import it for this effect.
 */
import { createRequire } from "node:module";
import log from "@pulumi/pulumi/log/index.js";

/** Internal to the SDK, without types. */
interface Debuggable {
  /** Set by `PULUMI_DEBUG_PROMISE_LEAKS`. */
  debugPromiseLeaks: boolean;
  debuggablePromise<T>(promise: Promise<T>, context: unknown): Promise<T>;
}

const debuggable: Debuggable = createRequire(import.meta.url)("@pulumi/pulumi/runtime/debuggable.js");
const { debuggablePromise } = debuggable;

function withoutStack<T>(promise: Promise<T>, context: unknown): Promise<T> {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return debuggablePromise(promise, context);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

Object.assign(log, { debug: () => Promise.resolve() });
if (!debuggable.debugPromiseLeaks) debuggable.debuggablePromise = withoutStack;
