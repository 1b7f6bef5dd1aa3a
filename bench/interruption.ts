/** Rejects on a signal, so that what was started is ended before the program is. */
export function interruption(): Promise<never> {
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => reject(new Error(`Got ${signal}.`)));
    }
  });
  interrupted.catch(() => {});
  return interrupted;
}
