/** Signals to this process abort what it does, so that all that was started is ended before the program is. */
const SIGNALS = ["SIGINT", "SIGTERM"] as const;
const controller = new AbortController();
const abort = (signal: NodeJS.Signals) => controller.abort(new Error(`Got ${signal}.`));

/** @returns aborted on a signal */
export function interruption(): AbortSignal {
  for (const signal of SIGNALS) process.on(signal, abort);
  return controller.signal;
}

/** Removes all other listeners: Miniflare's end this process at once, before anything else could be ended. */
export function interruptInOrder(): void {
  for (const signal of SIGNALS) {
    for (const listener of process.listeners(signal)) {
      if (listener !== abort) process.removeListener(signal, listener);
    }
  }
}
