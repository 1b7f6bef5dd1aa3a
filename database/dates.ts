/** Days as text, `YYYY-MM-DD`, because the driver converts dates to instants in the machine's time zone. */
import { type RawBuilder, sql } from "kysely";

export function dayText(column: string): RawBuilder<string> {
  return sql<string>`to_char(${sql.ref(column)}, 'YYYY-MM-DD')`;
}
