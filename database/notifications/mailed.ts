/** What a mail about notifications has. */
import { sql, type Transaction } from "kysely";
import type { DB, JsonValue } from "../types.ts";
import { isRecipient } from "./recipients.ts";

export interface MailedNotification {
  delivery_id: string;
  kind: string;
  data: JsonValue;
  occurred_at: Date;
}

export interface MailRecipient {
  choices: JsonValue | null;
  webhook_disabled: boolean;
}

/** Returns the choices of a user; undefined for one who is no ADMIN any more, or whose client is being deleted. */
export async function findRecipient(tx: Transaction<DB>, clientUserId: string): Promise<MailRecipient | undefined> {
  return tx
    .selectFrom("tenantry.client_users as u")
    .innerJoin("tenantry.clients as c", "c.id", "u.client_id")
    .leftJoin("tenantry.notification_settings as s", "s.client_user_id", "u.id")
    .select(["s.choices", sql<boolean>`s.disabled_at is not null`.as("webhook_disabled")])
    .where("u.id", "=", clientUserId)
    .where(isRecipient)
    .executeTakeFirst();
}

/** Returns the notifications of a mail, oldest first. */
export async function listMailed(tx: Transaction<DB>, mailId: string): Promise<MailedNotification[]> {
  return tx
    .selectFrom("tenantry.notification_deliveries as d")
    .innerJoin("tenantry.notifications as n", "n.id", "d.notification_id")
    .select(["d.id as delivery_id", "n.kind", "n.data", "n.occurred_at"])
    .where("d.mail_id", "=", mailId)
    .where("d.ended_at", "is", null)
    .orderBy("n.occurred_at")
    .orderBy("n.id")
    .execute();
}

export async function dropDeliveries(tx: Transaction<DB>, ids: readonly string[], answer: string): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable("tenantry.notification_deliveries")
    .set({ state: "dropped", ended_at: sql<Date>`now()`, answer })
    .where("id", "in", ids)
    .where("ended_at", "is", null)
    .execute();
}

/** Stores a link that unsubscribes from the mails of some kinds, by the SHA-256 of its token. Links of earlier attempts stay valid. */
export async function insertUnsubscribe(
  tx: Transaction<DB>,
  link: { tokenHash: Buffer; clientUserId: string; kinds: readonly string[] },
): Promise<void> {
  await tx
    .insertInto("tenantry.notification_unsubscribes")
    .values({ token_hash: link.tokenHash, client_user_id: link.clientUserId, kinds: [...link.kinds] })
    .execute();
}
