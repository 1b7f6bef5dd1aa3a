/** Does something with each of a list, so many at a time. @returns what came of each, in the list's order */
export async function eachAtMost<T, R>(most: number, list: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const left = list.entries();
  const worker = async () => {
    // One iterator: whoever is free takes the next.
    for (const [index, one] of left) results[index] = await work(one);
  };
  await Promise.all(Array.from({ length: Math.min(most, list.length) }, worker));
  return results;
}
