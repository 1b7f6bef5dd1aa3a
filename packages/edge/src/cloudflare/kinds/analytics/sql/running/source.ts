import type { Batch } from "../../batch.ts";
import type { Row } from "../functions/function.ts";
import type { SqlType } from "../values/types.ts";

export interface Table {
  columns: readonly { name: string; type: SqlType }[];
  rows: readonly Row[];
  /** A lower bound of the rows before `LIMIT`. */
  rowsBeforeLimit: number;
}

/** Seconds since the epoch, inclusive. */
export interface Period {
  from?: bigint;
  to?: bigint;
}

/** Yields the columns `needed`. @param period of `timestamp`; rows outside can be omitted */
type Read<Rows> = (needed: readonly string[], period: Period) => Iterable<Rows>;

/** All columns of batches have vectors. */
export type Source = { columns: ReadonlyMap<string, SqlType> } & ({ rows: Read<Row> } | { batches: Read<Batch> });

export const nothing: Source = { columns: new Map(), rows: () => [[]] };

export function sourceOfTable({ columns, rows }: Table): Source {
  return {
    columns: new Map(columns.map(({ name, type }) => [name, type])),
    rows: function* (needed) {
      const places = needed.map((name) => columns.findIndex((column) => column.name === name));
      for (const row of rows) yield places.map((at) => row[at] ?? 0n);
    },
  };
}
