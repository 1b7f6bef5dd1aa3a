/** Queries on partners. */
import { type Kysely, sql } from "kysely";
import type { Environment } from "../domain/slug.ts";
import type { DB } from "./types.ts";

/** The id of every partner of an environment by its slug. */
export async function partnerIds(db: Kysely<DB>, environment: Environment): Promise<Record<string, string>> {
  const rows = await db
    .selectFrom("tenantry.partners as p")
    .select(["slug", "id"])
    // A run reads before its migrations: the column may be missing still.
    .where(sql`coalesce(to_jsonb(p) ->> 'environment', ${environment})`, "=", environment)
    .execute();
  return Object.fromEntries(rows.map(({ slug, id }) => [slug, id]));
}
