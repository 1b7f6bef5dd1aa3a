/** Stops a part of a server. */
export type StopPart = () => unknown;

/**
 * Runs all endings in reverse order, also after a failure.
 *
 * @throws AggregateError with all failures
 */
export async function stopAll(endings: readonly StopPart[], message: string): Promise<void> {
  const errors: unknown[] = [];
  for (const end of endings.toReversed()) {
    try {
      await end();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, message);
}

/** Adds the stop of a part to `endings` as soon as it has started. */
export async function startPart<T extends { stop(): unknown } | undefined>(
  starting: Promise<T>,
  endings: StopPart[],
): Promise<T> {
  const part = await starting;
  if (part !== undefined) endings.push(() => part.stop());
  return part;
}

/** Like `Promise.all`, but rejects when all have settled, so that every part that started can be stopped. */
export async function waitForAll<const T extends readonly Promise<unknown>[]>(
  starting: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(starting);
  return Promise.all(starting);
}
