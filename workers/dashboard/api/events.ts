/** Sends events of the API's changes to open dashboards. */
import type { Kysely } from "kysely";
import type { ListedClient } from "#database/tenants/clients.ts";
import type { DB } from "#database/types.ts";
import { queueEvent } from "#database/work/events.ts";
import type { Caller } from "../identity/caller.ts";

interface Change<Kind extends string> {
  change: Kind;
  caller: Caller;
}

/** @param change.before the client's previous partner, which also gets an event. Default: unchanged */
export async function sendClientEvent(
  db: Kysely<DB>,
  { id: client_id, slug, partner }: ListedClient,
  {
    change,
    caller,
    before,
  }: Change<"created" | "changed" | "frozen" | "resumed" | "deletion_begun" | "restored" | "exported"> & {
    before?: ListedClient["partner"];
  },
): Promise<void> {
  const data = JSON.stringify({ client_id, slug, by: caller.email });
  await queueEvent(db, { client_id, kind: `client.${change}`, data });
  if (before && before.id !== partner?.id) {
    await queueEvent(db, { client_id: null, partner_id: before.id, kind: "client.left", data });
  }
}

/** Sends an event to platform roots. */
export async function sendGatewayEvent(
  db: Kysely<DB>,
  { id, gateway_id }: { id: string; gateway_id: string },
  { change, caller }: Change<"created" | "changed" | "deleted">,
): Promise<void> {
  const data = JSON.stringify({ ai_gateway_pool_id: id, gateway_id, by: caller.email });
  await queueEvent(db, { client_id: null, partner_id: null, kind: `ai_gateway.${change}`, data });
}

export async function sendPartnerEvent(
  db: Kysely<DB>,
  { id, slug }: { id: string; slug: string },
  { change, caller }: Change<"created" | "changed" | "deleted" | "branded">,
): Promise<void> {
  const data = JSON.stringify({ partner_id: id, slug, by: caller.email });
  // A deleted partner has no users.
  const partner_id = change === "deleted" ? null : id;
  await queueEvent(db, { client_id: null, partner_id, kind: `partner.${change}`, data });
}

/** @param more further data of the event */
export async function sendInstanceEvent(
  db: Kysely<DB>,
  { id, client }: { id: string; client: { id: string } },
  kind: string,
  by: string,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const data = JSON.stringify({ instance_id: id, by, ...more });
  await queueEvent(db, { client_id: client.id, kind, data });
}
