/**
 * Datasets as the tables of the vendor's interface.
 * Vendor: developers.cloudflare.com/analytics/analytics-engine/sql-api/#table-structure
 */
import type { SQLOutputValue } from "node:sqlite";
import { type Analytics, COLUMNS, type Column } from "../../data-points.ts";
import { invalid } from "../sql-error.ts";
import { DATE_TIME, DOUBLE, type SqlType, STRING, UINT32 } from "../values/types.ts";
import type { Value } from "../values/values.ts";
import type { Source } from "./source.ts";

const TYPES: ReadonlyMap<string, SqlType> = new Map(COLUMNS.map((name) => [name, typeOf(name)]));

function typeOf(name: Column): SqlType {
  if (name === "timestamp") return DATE_TIME;
  if (name === "_sample_interval") return UINT32;
  return name.startsWith("double") ? DOUBLE : STRING;
}

const isColumn = (name: string): name is Column => TYPES.has(name);

/** @throws SqlError for a dataset that nobody has written to */
export function datasetTable(analytics: Analytics, name: string): Source {
  if (!analytics.datasets().includes(name)) throw invalid(`unknown table: ${name}`);
  return {
    columns: TYPES,
    rows: function* (needed, { from, to }) {
      const columns = needed.filter(isColumn);
      const reads = columns.map(readerOf);
      const since = from === undefined ? undefined : Number(from) * 1000;
      const before = to === undefined ? undefined : (Number(to) + 1) * 1000;
      for (const row of analytics.read(name, columns, { since, before }))
        yield reads.map((read, at) => read(row[at] ?? null));
    },
  };
}

function readerOf(column: Column): (value: SQLOutputValue) => Value {
  if (column === "timestamp") return (milliseconds) => BigInt(Math.floor(Number(milliseconds) / 1000));
  if (column === "_sample_interval") return (interval) => BigInt(Number(interval));
  return column.startsWith("double") ? Number : String;
}
