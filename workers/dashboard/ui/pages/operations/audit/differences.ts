/** What is different between a row of before and after, field by field. */

export type RowOf = Readonly<Record<string, unknown>> | null;

export interface Difference {
  field: string;
  from: unknown;
  to: unknown;
  /** Whether it is told at once: what every change changes is not. */
  changed: boolean;
}

/** They change with every change. */
const ALWAYS: ReadonlySet<string> = new Set(["updated_at", "version"]);

/** By the names of the fields. Of a row that was made, or removed, whatever it had is told. */
export function differencesOf(before: RowOf, after: RowOf): Difference[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].toSorted();
  return fields.map((field) => {
    const [from, to] = [before?.[field], after?.[field]];
    const isOther =
      before === null || after === null
        ? written(before?.[field] ?? after?.[field]) !== undefined
        : JSON.stringify(from ?? null) !== JSON.stringify(to ?? null);
    return { field, from, to, changed: isOther && !ALWAYS.has(field) };
  });
}

/** Characters that are read as one line. */
const LINE = 60;

/** A value as people read it; undefined for none. */
export function written(value: unknown): string | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  if (typeof value === "string") return value;
  const line = JSON.stringify(value);
  return line.length > LINE ? JSON.stringify(value, null, 2) : line;
}
