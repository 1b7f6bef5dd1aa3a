import { type Kysely, sql } from "kysely";
import type { Environment } from "#domain/environment.ts";
import type { DB } from "../types.ts";

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
