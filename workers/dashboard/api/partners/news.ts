/** Tells open dashboards what was changed of a partner. */
import type { Kysely } from "kysely";
import type { DB } from "#database/types.ts";
import { tellEvent } from "#database/work/events.ts";
import type { Caller } from "../../identity/caller.ts";

export type PartnerChange = "created" | "changed" | "deleted" | "branded";

export async function tellPartner(
  db: Kysely<DB>,
  { id, slug }: { id: string; slug: string },
  { change, caller }: { change: PartnerChange; caller: Caller },
): Promise<void> {
  const data = JSON.stringify({ partner_id: id, slug, by: caller.email });
  // Who was a deleted partner's is nobody any more.
  const partner_id = change === "deleted" ? null : id;
  await tellEvent(db, { client_id: null, partner_id, kind: `partner.${change}`, data });
}
