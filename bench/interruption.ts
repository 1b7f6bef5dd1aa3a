/** Aborted on a signal to this process, so that all that was started is ended before the program is. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => controller.abort(new Error(`Got ${signal}.`)));
  }
  return controller.signal;
}
