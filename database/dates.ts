/** Days as texts, `YYYY-MM-DD`: a driver makes instants of them, in its machine's time zone. */
import { type RawBuilder, sql } from "kysely";

/** A column of type `date`, as it is written. */
export function dayText(column: string): RawBuilder<string> {
  return sql<string>`to_char(${sql.ref(column)}, 'YYYY-MM-DD')`;
}
