/** Queries on partners. */
import type { Kysely } from "kysely";
import type { DB } from "./types.ts";

/** Every partner's id by its slug. */
export async function partnerIds(db: Kysely<DB>): Promise<Record<string, string>> {
  const rows = await db.selectFrom("tenantry.partners").select(["slug", "id"]).execute();
  return Object.fromEntries(rows.map(({ slug, id }) => [slug, id]));
}
