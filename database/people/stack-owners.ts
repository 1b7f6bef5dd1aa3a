import { type Kysely, sql } from "kysely";
import type { Environment } from "#domain/environment.ts";
import { ofEnvironment, ownerOf } from "../not-migrated.ts";
import type { DB } from "../types.ts";

export interface KnownPartner {
  id: string;
  owner: string | undefined;
}

/** Returns an environment's partners by slug, also before migrations. */
export async function knownPartners(db: Kysely<DB>, environment: Environment): Promise<Record<string, KnownPartner>> {
  const rows = await db
    .selectFrom("tenantry.partners as p")
    .select(["slug", "id", ownerOf("p")])
    .where(ofEnvironment("p", environment))
    .execute();
  return Object.fromEntries(rows.map(({ slug, id, owner }) => [slug, { id, owner: owner ?? undefined }]));
}

export interface PlatformOwner {
  environment: Environment;
  owner: string;
}

export function platformOwners(db: Kysely<DB>): Promise<PlatformOwner[]> {
  return db
    .selectFrom("tenantry.dashboard_users")
    .select(["environment", sql<string>`owner`.as("owner")])
    .where("role", "=", "ROOT")
    .where("owner", "is not", null)
    .$narrowType<{ environment: Environment }>()
    .execute();
}
