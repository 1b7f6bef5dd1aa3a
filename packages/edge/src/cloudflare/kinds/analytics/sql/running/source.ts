/** What a query selects from. */
import type { Batch } from "../../batch.ts";
import type { Row } from "../functions/function.ts";
import type { SqlType } from "../values/types.ts";
import type { Table } from "./table.ts";

/** Seconds since the epoch, both included. */
export interface Period {
  from?: bigint;
  to?: bigint;
}

/** The needed columns of each row, in their order. @param period outside of which no rows are needed, by `timestamp` */
type Read<Rows> = (needed: readonly string[], period: Period) => Iterable<Rows>;

/** Rows come one by one, or in batches whose columns have vectors all. */
export type Source = { columns: ReadonlyMap<string, SqlType> } & ({ rows: Read<Row> } | { batches: Read<Batch> });

/** One row without columns, for a query without `FROM`. */
export const nothing: Source = { columns: new Map(), rows: () => [[]] };

/** What another query answered. */
export function answered({ columns, rows }: Table): Source {
  return {
    columns: new Map(columns.map(({ name, type }) => [name, type])),
    rows: function* (needed) {
      const places = needed.map((name) => columns.findIndex((column) => column.name === name));
      for (const row of rows) yield places.map((at) => row[at] ?? 0n);
    },
  };
}
