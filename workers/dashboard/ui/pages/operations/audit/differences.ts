export type AuditRow = Readonly<Record<string, unknown>> | null;

interface Difference {
  field: string;
  from: unknown;
  to: unknown;
  /** False for fields that change with every update. */
  changed: boolean;
}

const ALWAYS: ReadonlySet<string> = new Set(["updated_at", "version"]);

/** Sorted by field. Of an inserted or deleted row, every field with a value counts as changed. */
export function differencesOf(before: AuditRow, after: AuditRow): Difference[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].toSorted();
  return fields.map((field) => {
    const [from, to] = [before?.[field], after?.[field]];
    const isDifferent =
      before === null || after === null
        ? formatValue(before?.[field] ?? after?.[field]) !== undefined
        : JSON.stringify(from ?? null) !== JSON.stringify(to ?? null);
    return { field, from, to, changed: isDifferent && !ALWAYS.has(field) };
  });
}

const LINE = 60;

/** Returns undefined for an empty value. */
export function formatValue(value: unknown): string | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  if (typeof value === "string") return value;
  const line = JSON.stringify(value);
  return line.length > LINE ? JSON.stringify(value, null, 2) : line;
}
