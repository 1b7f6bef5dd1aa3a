/** Queries on partners. */
import type { Kysely } from "kysely";
import type { Environment } from "../domain/environment.ts";
import { ofEnvironment } from "./not-migrated.ts";
import type { DB } from "./types.ts";

/** The id of every partner of an environment by its slug. */
export async function partnerIds(db: Kysely<DB>, environment: Environment): Promise<Record<string, string>> {
  const rows = await db
    .selectFrom("tenantry.partners as p")
    .select(["slug", "id"])
    .where(ofEnvironment("p", environment))
    .execute();
  return Object.fromEntries(rows.map(({ slug, id }) => [slug, id]));
}
