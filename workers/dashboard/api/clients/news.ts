/** Tells open dashboards what was changed of a client. */
import type { Kysely } from "kysely";
import type { ListedClient } from "#database/tenants/clients.ts";
import type { DB } from "#database/types.ts";
import { tellEvent } from "#database/work/events.ts";
import type { Caller } from "../../identity/caller.ts";

export type ClientChange = "created" | "changed" | "frozen" | "resumed" | "deletion_begun" | "restored";

/**
 * @param client as it is now
 * @param before the partner that has lost it, who hears of that too. Default: none has
 */
export async function tellChange(
  db: Kysely<DB>,
  { id: client_id, slug, partner }: ListedClient,
  { change, caller, before }: { change: ClientChange; caller: Caller; before?: ListedClient["partner"] },
): Promise<void> {
  const data = JSON.stringify({ client_id, slug, by: caller.email });
  await tellEvent(db, { client_id, kind: `client.${change}`, data });
  if (before && before.id !== partner?.id) {
    await tellEvent(db, { client_id: null, partner_id: before.id, kind: "client.left", data });
  }
}
