/** The lines of a table whose rows are grouped. */

/** A row, or without one the heading of a group. */
export interface Item<R> {
  /** Place in the table. */
  index: number;
  /** Empty without groups. */
  group: string;
  row?: R;
}

/** Puts a heading before the first row of each group. @param groupOf key of a row's group */
export function itemsOf<T, R extends { original: T }>(rows: readonly R[], groupOf?: (row: T) => string): Item<R>[] {
  const items: Item<R>[] = [];
  let last: string | undefined;
  for (const row of rows) {
    const group = groupOf?.(row.original) ?? "";
    if (groupOf !== undefined && group !== last) items.push({ index: items.length, group });
    items.push({ index: items.length, group, row });
    last = group;
  }
  return items;
}
