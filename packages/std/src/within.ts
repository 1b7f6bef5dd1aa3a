/** Returns the result of `work`, or `undefined` after `timeoutMs`. The work continues. */
export async function withTimeout<T>(timeoutMs: number, work: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, undefined);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Rejects once a signal is aborted. @param errorOf Default: the signal's reason */
export const rejectionBy = (signal: AbortSignal, errorOf = (): unknown => signal.reason): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(errorOf());
    else signal.addEventListener("abort", () => reject(errorOf()), { once: true });
  });
