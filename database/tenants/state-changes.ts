import { type Kysely, sql } from "kysely";
import type { DB } from "../types.ts";

/** What a person did with the files, the backups or the devices of an instance. */
export type StateChange =
  | { file: string; bytes: number }
  | { backup: string; kept: boolean }
  | { backup: string; deleted: true }
  | { uploaded_bytes: number }
  | { device: string; change: "approve" | "reject" | "remove" };

/** Records a change of files, backups or devices in the audit log. */
export async function auditStateChange(db: Kysely<DB>, instanceId: string, change: StateChange): Promise<void> {
  await sql`select tenantry.record_state_change(${instanceId}, ${JSON.stringify(change)})`.execute(db);
}
