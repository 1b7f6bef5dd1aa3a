/** Parts of a server that start together and stop in reverse order. */

/** Stops a part. */
export type Ending = () => unknown;

/**
 * Runs all endings, the last first, also after one has failed.
 *
 * @throws AggregateError with every failure
 */
export async function stopAll(endings: readonly Ending[], message: string): Promise<void> {
  const faults: unknown[] = [];
  for (const end of endings.toReversed()) {
    try {
      await end();
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, message);
}

/** Remembers how to stop a part as soon as it runs, so that a failure beside it leaves nothing behind. */
export async function started<T extends { stop(): unknown } | undefined>(
  starting: Promise<T>,
  endings: Ending[],
): Promise<T> {
  const part = await starting;
  if (part !== undefined) endings.push(() => part.stop());
  return part;
}

/** Like `Promise.all`, but a failure waits for the others, so that what they started is known and can be stopped. */
export async function allStarted<const T extends readonly Promise<unknown>[]>(
  starting: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(starting);
  return Promise.all(starting);
}
