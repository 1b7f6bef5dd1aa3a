import { type Kysely, sql } from "kysely";
import type { DB } from "../types.ts";

export async function pingDatabase(db: Kysely<DB>): Promise<void> {
  await sql`select 1`.execute(db);
}
