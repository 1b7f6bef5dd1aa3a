import type { Kysely } from "kysely";
import { lockClient } from "#database/tenants/client-changes.ts";
import type { ListedClient } from "#database/tenants/clients.ts";
import type { Freezable } from "#database/tenants/freezing.ts";
import type { DB } from "#database/types.ts";
import type { Environment } from "#domain/environment.ts";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import type { Settings } from "../../env.ts";
import { sendClientEvent } from "../events.ts";
import { requireClient } from "../required.ts";
import { clientBody } from "./body.ts";

/** Locks a client until the transaction ends. */
export async function lock(db: Kysely<DB>, environment: Environment, id: string): Promise<ListedClient> {
  await lockClient(db, id);
  return requireClient(db, environment, id);
}

/** Sends an event of a change. @returns the client after it */
export async function changed(
  db: Kysely<DB>,
  { ENVIRONMENT }: Settings,
  id: string,
  change: Parameters<typeof sendClientEvent>[2],
): Promise<Client> {
  const client = await requireClient(db, ENVIRONMENT, id);
  await sendClientEvent(db, client, change);
  return clientBody(client);
}

export const freezable = ({ id, slug }: ListedClient, { ENVIRONMENT }: Settings): Freezable => ({
  clientId: id,
  slug,
  environment: ENVIRONMENT,
});

/** Names the side of an operator, for an ADMIN. */
export const operatorName = (side: string, { partner }: ListedClient): string =>
  side === "partner" ? `the partner ${partner?.name ?? ""}`.trimEnd() : "the platform";
