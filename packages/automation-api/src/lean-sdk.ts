/**
 * Turns off what the engine's SDK does for debugging alone, which is a fifth of a program's processor time: debug messages, each a call of the
 * engine that waits for the one before, and the stack of each promise. Imported for this effect alone.
 */
import { createRequire } from "node:module";
import log from "@pulumi/pulumi/log/index.js";

/** Internal to the SDK, which declares no types of it. */
interface Debuggable {
  /** Whether stacks are shown: `PULUMI_DEBUG_PROMISE_LEAKS`. */
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

// No run that is started here shows debug messages.
Object.assign(log, { debug: () => Promise.resolve() });
if (!debuggable.debugPromiseLeaks) debuggable.debuggablePromise = withoutStack;
