/** Links in mails, without a login. The caller parses the results. */
import { type Kysely, sql } from "kysely";
import type { ChangeOrigin } from "../console/person.ts";
import type { DB } from "../types.ts";

/** Returns what a link unsubscribes from; null for an unknown token. */
export async function findSubscription(db: Kysely<DB>, tokenHash: Buffer): Promise<unknown> {
  const { rows } = await sql<{
    found: unknown;
  }>`select dashboard.notification_subscription(${tokenHash}) as found`.execute(db);
  return rows[0]?.found ?? null;
}

export async function unsubscribe(
  db: Kysely<DB>,
  tokenHash: Buffer,
  { source, requestId }: ChangeOrigin,
): Promise<unknown> {
  const { rows } = await sql<{ found: unknown }>`
    select dashboard.unsubscribe_notifications(${tokenHash}, ${source}, ${requestId}) as found`.execute(db);
  return rows[0]?.found ?? null;
}
