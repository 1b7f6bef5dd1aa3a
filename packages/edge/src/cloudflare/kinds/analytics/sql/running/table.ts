import type { Row } from "../functions/function.ts";
import type { SqlType } from "../values/types.ts";

export interface Table {
  columns: readonly { name: string; type: SqlType }[];
  rows: readonly Row[];
  /** A lower bound of the rows before `LIMIT`. */
  rowsBeforeLimit: number;
}
