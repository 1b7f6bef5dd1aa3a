/** Returns the defined columns of a change; undefined if there are none, because an UPDATE needs at least one. */
export function namedColumns<T extends object>(changes: T): { [K in keyof T]?: Exclude<T[K], undefined> } | undefined {
  const named = Object.entries(changes).filter(([, value]) => value !== undefined);
  return named.length === 0 ? undefined : (Object.fromEntries(named) as { [K in keyof T]?: Exclude<T[K], undefined> });
}
