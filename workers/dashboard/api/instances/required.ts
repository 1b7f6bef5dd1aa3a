import type { Kysely } from "kysely";
import { lockClient } from "#database/tenants/client-changes.ts";
import { findInstance, type KnownInstance, lockInstance } from "#database/tenants/instances.ts";
import type { DB } from "#database/types.ts";
import type { Environment } from "#domain/environment.ts";
import { Failure } from "../../http/failure.tsx";

/** @throws Failure `not_found` for one that is not there, or not for the caller */
export async function requireInstance(db: Kysely<DB>, environment: Environment, id: string): Promise<KnownInstance> {
  const found = await findInstance(db, environment, { id });
  if (found === undefined) throw new Failure("not_found", "There is no such instance.");
  return found;
}

/** One as it stays until the transaction's end. Client before instance, as whoever else locks both. @throws Failure likewise */
export async function lockedInstance(db: Kysely<DB>, environment: Environment, id: string): Promise<KnownInstance> {
  const { client } = await requireInstance(db, environment, id);
  await lockClient(db, client.id);
  await lockInstance(db, id);
  return requireInstance(db, environment, id);
}
