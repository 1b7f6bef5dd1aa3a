import type { Kysely } from "kysely";
import type { DB } from "#database/types.ts";
import { tellEvent } from "#database/work/events.ts";

/** Tells those who follow the client that somebody ordered something of its tenant. @param more about the order */
export async function tellOrder(
  db: Kysely<DB>,
  { id, client }: { id: string; client: { id: string } },
  kind: string,
  by: string,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const data = JSON.stringify({ instance_id: id, by, ...more });
  await tellEvent(db, { client_id: client.id, kind, data });
}
