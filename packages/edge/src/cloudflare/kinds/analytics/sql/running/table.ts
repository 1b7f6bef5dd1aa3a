import type { Row } from "../functions/function.ts";
import type { SqlType } from "../values/types.ts";

/** What a query answers. */
export interface Table {
  columns: readonly { name: string; type: SqlType }[];
  rows: readonly Row[];
  /** How many there were before `LIMIT`, or more. */
  rowsBeforeLimit: number;
}
