/** Tells platform roots' open dashboards what was changed of the pool. */
import type { Kysely } from "kysely";
import type { ListedEntry } from "#database/ai-gateways/listed-entries.ts";
import type { DB } from "#database/types.ts";
import { tellEvent } from "#database/work/events.ts";
import type { Caller } from "../../identity/caller.ts";

export type EntryChange = "created" | "changed" | "deleted";

export async function tellEntry(
  db: Kysely<DB>,
  { id, gateway_id }: Pick<ListedEntry, "id" | "gateway_id">,
  { change, caller }: { change: EntryChange; caller: Caller },
): Promise<void> {
  const data = JSON.stringify({ ai_gateway_pool_id: id, gateway_id, by: caller.email });
  await tellEvent(db, { client_id: null, partner_id: null, kind: `ai_gateway.${change}`, data });
}
