/** Signals abort the run, so that all that was started is stopped first. */
const SIGNALS = ["SIGINT", "SIGTERM"] as const;
const controller = new AbortController();
const abortRun = (signal: NodeJS.Signals) => controller.abort(new Error(`Got ${signal}.`));

export function interruptionSignal(): AbortSignal {
  for (const signal of SIGNALS) process.on(signal, abortRun);
  return controller.signal;
}

/** Removes other signal listeners: Miniflare's end the process at once. */
export function interruptInOrder(): void {
  for (const signal of SIGNALS) {
    for (const listener of process.listeners(signal)) {
      if (listener !== abortRun) process.removeListener(signal, listener);
    }
  }
}
