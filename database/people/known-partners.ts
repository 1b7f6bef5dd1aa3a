/** Queries on partners. */
import type { Kysely } from "kysely";
import type { Environment } from "#domain/environment.ts";
import { ofEnvironment, ownerOf } from "../not-migrated.ts";
import type { DB } from "../types.ts";

/** What a run is planned with. */
export interface KnownPartner {
  id: string;
  /** The stack that has it, as a URN; `undefined` for nobody's. */
  owner: string | undefined;
}

/** Every partner of an environment by its slug. */
export async function knownPartners(db: Kysely<DB>, environment: Environment): Promise<Record<string, KnownPartner>> {
  const rows = await db
    .selectFrom("tenantry.partners as p")
    .select(["slug", "id", ownerOf("p")])
    .where(ofEnvironment("p", environment))
    .execute();
  return Object.fromEntries(rows.map(({ slug, id, owner }) => [slug, { id, owner: owner ?? undefined }]));
}
