/** Calls `work` for each item, at most `most` concurrently. @returns the results in the list's order */
export async function eachAtMost<T, R>(most: number, list: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const left = list.entries();
  const worker = async () => {
    // The workers share one iterator.
    for (const [index, one] of left) results[index] = await work(one);
  };
  await Promise.all(Array.from({ length: Math.min(most, list.length) }, worker));
  return results;
}
