import { type Kysely, sql } from "kysely";
import type { NotificationKind } from "#domain/notifications/kinds.ts";
import type { DB } from "../types.ts";

export interface Occurrence {
  instanceId: string;
  kind: NotificationKind;
  /** Identifies what happened, so that it is noted once. */
  subject: string;
  data: object;
}

/** Notes what happened to an instance's client, for its notifications. Triggers note what the database sees. */
export async function noteOccurrence(db: Kysely<DB>, { instanceId, kind, subject, data }: Occurrence): Promise<void> {
  await sql`
    select tenantry.note_occurrence(i.client_id, ${kind}, ${subject}, ${JSON.stringify(data)}::jsonb)
    from tenantry.instances i where i.id = ${instanceId}`.execute(db);
}
