/** Rejects once a signal is aborted. @param errorOf Default: the signal's reason */
export const rejectionBy = (signal: AbortSignal, errorOf = (): unknown => signal.reason): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(errorOf());
    else signal.addEventListener("abort", () => reject(errorOf()), { once: true });
  });
