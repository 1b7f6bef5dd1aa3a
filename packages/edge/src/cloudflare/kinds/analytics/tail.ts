import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { BATCH_ROWS, type Batch, encodeTexts, numberVector, type Vector } from "./batch.ts";
import { addBlock, type PointColumns, type Span } from "./blocks.ts";
import { blobs, type Column, doubles, isText } from "./columns.ts";

/** Limits the texts of one block, which are in memory at once. */
const MOST_CHARACTERS = 2 ** 24;

export function* readTail(
  database: DatabaseSync,
  dataset: string,
  columns: readonly Column[],
  span: Span,
): Generator<Batch> {
  const rows = selectTail(database, columns, "and timestamp >= ? and timestamp < ?", dataset, span.since, span.before);
  let some: SQLOutputValue[][] = [];
  for (const row of rows) {
    some.push(row);
    if (some.length < BATCH_ROWS) continue;
    yield batchOf(some, columns);
    some = [];
  }
  if (some.length > 0) yield batchOf(some, columns);
}

/** Moves at most `most` of the oldest rows to a block, within the caller's transaction. */
export function sealTail(database: DatabaseSync, dataset: string, most: number): number {
  const rows: SQLOutputValue[][] = [];
  let characters = 0;
  const used = usedColumns(database, dataset);
  for (const row of selectTail(database, used, "", dataset)) {
    rows.push(row);
    for (const value of row) if (typeof value === "string") characters += value.length;
    if (rows.length >= most || characters >= MOST_CHARACTERS) break;
  }
  const last = rows.at(-1)?.at(-1);
  if (last === undefined) return 0;
  const columns = used.map((name, at) => [name, rows.map((row) => row[at] ?? 0)] as const);
  const points = Object.fromEntries(columns) as unknown as PointColumns;
  addBlock(database, dataset, points);
  database
    .prepare("delete from data_points where dataset = ? and (timestamp, rowid) <= (?, ?)")
    .run(dataset, points.timestamp[rows.length - 1] ?? 0, last);
  return rows.length;
}

/** Skips columns that are empty in every row: most are, and reading them is slow. */
function usedColumns(database: DatabaseSync, dataset: string): Column[] {
  const optional = [...blobs, ...doubles];
  const tests = optional.map((name) => `max(${name} ${isText(name) ? "<> ''" : "<> 0"}) as ${name}`);
  const found = database.prepare(`select ${tests.join(", ")} from data_points where dataset = ?`).get(dataset);
  return ["timestamp", "_sample_interval", "index1", ...optional.filter((name) => found?.[name] === 1)];
}

/** Selects the columns and the row id. */
function selectTail(
  database: DatabaseSync,
  columns: readonly Column[],
  condition: string,
  ...parameters: (string | number)[]
): Iterable<SQLOutputValue[]> {
  const statement = database.prepare(
    `select ${[...columns, "rowid"].join(", ")} from data_points where dataset = ? ${condition} order by timestamp, rowid`,
  );
  statement.setReturnArrays(true);
  // The package's types do not know arrays.
  return statement.iterate(...parameters) as unknown as Iterable<SQLOutputValue[]>;
}

function batchOf(rows: readonly SQLOutputValue[][], columns: readonly Column[]): Batch {
  const vector = (column: Column, at: number): Vector =>
    isText(column)
      ? encodeTexts(rows.map((row) => String(row[at])))
      : numberVector(Float64Array.from(rows, (row) => Number(row[at])));
  return { length: rows.length, columns: columns.map(vector) };
}
