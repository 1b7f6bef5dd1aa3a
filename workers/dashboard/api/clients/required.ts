import type { Kysely } from "kysely";
import { findClient, type ListedClient } from "#database/tenants/clients.ts";
import type { DB } from "#database/types.ts";
import type { Environment } from "#domain/environment.ts";
import { Failure } from "../../http/failure.tsx";

/** @throws Failure `not_found` for one that is not there, or not for the caller */
export async function requireClient(db: Kysely<DB>, environment: Environment, id: string): Promise<ListedClient> {
  const found = await findClient(db, environment, id);
  if (found === undefined) throw new Failure("not_found", "There is no such client.");
  return found;
}
