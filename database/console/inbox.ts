/** What a tenant's ADMINs do with its inbox. */
import { type Kysely, sql } from "kysely";
import type { InboxOrder } from "../doors/inbox-orders.ts";
import type { DB } from "../types.ts";
import type { ChangeOrigin, ConsoleUser } from "./person.ts";

/** Records an order in the audit log before the tenant receives it. @returns whether the user is an ADMIN */
export async function recordInboxOrder(
  db: Kysely<DB>,
  { slug, email }: ConsoleUser,
  { order, details, source, requestId }: { order: InboxOrder; details: object } & ChangeOrigin,
): Promise<boolean> {
  const { rows } = await sql<{ recorded: boolean }>`
    select dashboard.record_console_inbox_order(
      ${slug}, ${email}, ${order}, ${JSON.stringify(details)}, ${source}, ${requestId}) as recorded
  `.execute(db);
  return rows[0]?.recorded ?? false;
}
