/** Creates the deliveries of notifications, for each ADMIN by the chosen channels. */
import { type Kysely, sql, type Transaction } from "kysely";
import type { DB, JsonValue } from "../types.ts";
import { isRecipient } from "./recipients.ts";

export interface Undistributed {
  id: string;
  client_id: string;
  client_user_id: string | null;
  kind: string;
  data: JsonValue;
}

/** Returns a notification without deliveries, locked until the transaction ends; undefined if it has them or was deleted. */
export async function lockUndistributed(tx: Transaction<DB>, id: string): Promise<Undistributed | undefined> {
  return tx
    .selectFrom("tenantry.notifications")
    .select(["id", "client_id", "client_user_id", "kind", "data"])
    .where("id", "=", id)
    .where("distributed_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
}

export interface Recipient {
  id: string;
  email: string;
  choices: JsonValue | null;
  /** Whether a webhook is stored that is not disabled; null without any. */
  webhook: "ready" | "disabled" | null;
}

/** Returns the ADMINs who get a notification: none of a client that is being deleted. */
export async function listRecipients(
  tx: Transaction<DB>,
  { client_id, client_user_id }: Pick<Undistributed, "client_id" | "client_user_id">,
): Promise<Recipient[]> {
  let query = tx
    .selectFrom("tenantry.client_users as u")
    .innerJoin("tenantry.clients as c", "c.id", "u.client_id")
    .leftJoin("tenantry.notification_settings as s", "s.client_user_id", "u.id")
    .select(["u.id", "u.email", "s.choices"])
    .select(
      sql<Recipient["webhook"]>`case
        when s.webhook_host is null then null when s.disabled_at is null then 'ready' else 'disabled' end`.as(
        "webhook",
      ),
    )
    .where("u.client_id", "=", client_id)
    .where(isRecipient)
    .orderBy("u.id");
  if (client_user_id !== null) query = query.where("u.id", "=", client_user_id);
  return query.execute();
}

export interface NewDelivery {
  recipient: Pick<Recipient, "id" | "email">;
  channel: "mail" | "webhook";
  /** Whether it waits for the next digest. */
  waits: boolean;
}

/** Creates the deliveries, each once, with their mails, and marks the notification. Triggers queue the mails and webhooks. */
export async function distribute(
  tx: Transaction<DB>,
  { id, client_id }: Pick<Undistributed, "id" | "client_id">,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  for (const { recipient, channel, waits } of deliveries) {
    const mail_id = channel === "mail" && !waits ? await insertMail(tx, { ...recipient, client_id }) : null;
    await tx
      .insertInto("tenantry.notification_deliveries")
      .values({
        notification_id: id,
        client_user_id: recipient.id,
        channel,
        state: waits ? "waiting" : "queued",
        mail_id,
      })
      .execute();
  }
  await tx
    .updateTable("tenantry.notifications")
    .set({ distributed_at: sql<Date>`now()` })
    .where("id", "=", id)
    .execute();
}

async function insertMail(
  tx: Transaction<DB>,
  { id, email, client_id }: Pick<Recipient, "id" | "email"> & { client_id: string },
): Promise<string> {
  const mail = await tx
    .insertInto("tenantry.mails")
    .values({ kind: "notification", recipient: email.toLowerCase(), client_id, client_user_id: id })
    .returning("id")
    .executeTakeFirstOrThrow();
  return mail.id;
}

/** Returns notifications that an earlier process or release left without deliveries. */
export async function listForgotten(db: Kysely<DB>, olderThanMinutes: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("tenantry.notifications")
    .select("id")
    .where("distributed_at", "is", null)
    .where("occurred_at", "<", sql<Date>`now() - ${olderThanMinutes}::integer * interval '1 minute'`)
    .orderBy("occurred_at")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Puts a user's deliveries that wait since before `due` into one mail. Replicas do not take the same deliveries.
 * @returns whether there were any for some user
 */
export async function sendNextDigest(db: Kysely<DB>, due: Date): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const next = await tx
      .selectFrom("tenantry.notification_deliveries as d")
      .innerJoin("tenantry.client_users as u", "u.id", "d.client_user_id")
      .select(["u.id", "u.email", "u.client_id"])
      .where("d.state", "=", "waiting")
      .where("d.created_at", "<", due)
      .orderBy("d.created_at")
      .limit(1)
      .forUpdate("u")
      .skipLocked()
      .executeTakeFirst();
    if (next === undefined) return false;
    const mail_id = await insertMail(tx, next);
    const { numUpdatedRows } = await tx
      .updateTable("tenantry.notification_deliveries")
      .set({ state: "queued", mail_id })
      .where("client_user_id", "=", next.id)
      .where("state", "=", "waiting")
      .executeTakeFirst();
    // Another replica took them while this one waited.
    if (numUpdatedRows === 0n) await tx.deleteFrom("tenantry.mails").where("id", "=", mail_id).execute();
    return true;
  });
}
