/** Queries on whose rows are. */
import { type Kysely, sql } from "kysely";
import type { Environment } from "../domain/environment.ts";
import { ofEnvironment } from "./not-migrated.ts";
import type { DB } from "./types.ts";

/** Which stack has what, as URNs; what no stack has is left out. */
export interface OwnerSnapshot {
  /** By slug. */
  clients: Readonly<Record<string, string>>;
  /** By slug. */
  partners: Readonly<Record<string, string>>;
  /** By gateway id. */
  aiGateways: Readonly<Record<string, string>>;
}

/** The owners of an environment's clients and partners, and of every pool entry. */
export async function readOwners(db: Kysely<DB>, environment: Environment): Promise<OwnerSnapshot> {
  // A run reads before its migrations: the column may be missing still.
  const owner = sql<string | null>`to_jsonb(t) ->> 'owner'`.as("owner");
  const isOwn = ofEnvironment("t", environment);
  const [clients, partners, aiGateways] = await Promise.all([
    db.selectFrom("tenantry.clients as t").select(["slug as name", owner]).where(isOwn).execute(),
    db.selectFrom("tenantry.partners as t").select(["slug as name", owner]).where(isOwn).execute(),
    db.selectFrom("tenantry.ai_gateways as t").select(["gateway_id as name", owner]).execute(),
  ]);
  const byName = (rows: { name: string; owner: string | null }[]) =>
    Object.fromEntries(rows.flatMap(({ name, owner }) => (owner === null ? [] : [[name, owner]])));
  return { clients: byName(clients), partners: byName(partners), aiGateways: byName(aiGateways) };
}
