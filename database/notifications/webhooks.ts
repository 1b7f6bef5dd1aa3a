/** Deliveries to webhooks. */
import { type Kysely, sql } from "kysely";
import type { DB, JsonValue } from "../types.ts";
import { isRecipient } from "./recipients.ts";

export interface WebhookDelivery {
  id: string;
  client_user_id: string;
  kind: string;
  data: JsonValue;
  occurred_at: Date;
  client_id: string;
  client_name: string;
  client_slug: string;
  /** Null if the webhook was deleted or disabled, or its user is no ADMIN any more, or the client is being deleted. */
  credentials: Buffer | null;
  choices: JsonValue | null;
}

/** Returns an open delivery, and counts an attempt before it is made; undefined if the delivery has ended. */
export async function beginWebhook(db: Kysely<DB>, id: string): Promise<WebhookDelivery | undefined> {
  const begun = await db
    .updateTable("tenantry.notification_deliveries")
    .set({ attempts: sql<number>`attempts + 1` })
    .where("id", "=", id)
    .where("channel", "=", "webhook")
    .where("ended_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  if (begun === undefined) return undefined;
  return db
    .selectFrom("tenantry.notification_deliveries as d")
    .innerJoin("tenantry.notifications as n", "n.id", "d.notification_id")
    .innerJoin("tenantry.clients as c", "c.id", "n.client_id")
    .innerJoin("tenantry.client_users as u", "u.id", "d.client_user_id")
    .leftJoin("tenantry.notification_settings as s", "s.client_user_id", "u.id")
    .select(["d.id", "d.client_user_id", "n.kind", "n.data", "n.occurred_at", "s.choices"])
    .select(["c.id as client_id", "c.name as client_name", "c.slug as client_slug"])
    .select(
      sql<Buffer | null>`case when ${isRecipient} and s.disabled_at is null then s.credentials end`.as("credentials"),
    )
    .where("d.id", "=", id)
    .executeTakeFirst();
}

/** Ends a delivery that was accepted. The webhook does not fail any more. */
export async function acceptWebhook(
  db: Kysely<DB>,
  delivery: Pick<WebhookDelivery, "id" | "client_user_id">,
  answer: string,
) {
  await db.transaction().execute(async (tx) => {
    await endWebhook(tx, delivery.id, "sent", answer);
    await tx
      .updateTable("tenantry.notification_settings")
      .set({ failing_since: null })
      .where("client_user_id", "=", delivery.client_user_id)
      .where("failing_since", "is not", null)
      .where("disabled_at", "is", null)
      .execute();
  });
}

/** Ends a delivery. */
export async function endWebhook(
  db: Kysely<DB>,
  id: string,
  state: "sent" | "failed" | "dropped",
  answer: string,
): Promise<void> {
  await db
    .updateTable("tenantry.notification_deliveries")
    .set({ state, ended_at: sql<Date>`now()`, answer })
    .where("id", "=", id)
    .where("ended_at", "is", null)
    .execute();
}

/**
 * Records a failed attempt. Disables the webhook if it has failed for a number of days, and queues one mail about it.
 * @param end.credentials with which the attempt was made: a webhook that was replaced meanwhile has not failed
 * @returns whether the webhook is disabled now
 */
export async function failWebhook(
  db: Kysely<DB>,
  delivery: Pick<WebhookDelivery, "id" | "client_user_id" | "credentials">,
  end: { answer: string; final: boolean; disableAfterDays: number },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { id, client_user_id, credentials } = delivery;
    await tx
      .updateTable("tenantry.notification_deliveries")
      .set({ answer: end.answer })
      .where("id", "=", id)
      .where("ended_at", "is", null)
      .execute();
    const failing = await tx
      .updateTable("tenantry.notification_settings")
      .set({ failing_since: sql<Date>`coalesce(failing_since, now())` })
      .where("client_user_id", "=", client_user_id)
      .where("credentials", "=", credentials)
      .returning(
        sql<boolean>`failing_since <= now() - ${end.disableAfterDays}::integer * interval '1 day'`.as("is_due"),
      )
      .executeTakeFirst();
    if (failing?.is_due) await disable(tx, client_user_id);
    if (failing?.is_due || end.final) await endWebhook(tx, id, "failed", end.answer);
    return failing?.is_due === true;
  });
}

async function disable(tx: Kysely<DB>, clientUserId: string): Promise<void> {
  const disabled = await tx
    .updateTable("tenantry.notification_settings")
    .set({ disabled_at: sql<Date>`now()` })
    .where("client_user_id", "=", clientUserId)
    .where("disabled_at", "is", null)
    .returning(["webhook_host", "failing_since"])
    .executeTakeFirst();
  if (disabled === undefined) return;
  await tx
    .insertInto("tenantry.mails")
    .columns(["kind", "recipient", "client_id", "client_user_id", "data"])
    .expression((e) =>
      e
        .selectFrom("tenantry.client_users as u")
        .select([
          sql<string>`'webhook_disabled'`.as("kind"),
          sql<string>`lower(u.email)`.as("recipient"),
          "u.client_id",
          "u.id",
          sql`${JSON.stringify({ host: disabled.webhook_host, since: disabled.failing_since })}::jsonb`.as("data"),
        ])
        .where("u.id", "=", clientUserId),
    )
    .execute();
}

/** Ends deliveries that are older than all retries of the queue. @returns their number */
export async function giveUpWebhooks(db: Kysely<DB>, olderThanHours: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("tenantry.notification_deliveries")
    .set({
      state: "failed",
      ended_at: sql<Date>`now()`,
      answer: sql<string>`coalesce(answer, 'It is unknown whether it was delivered.')`,
    })
    .where("channel", "=", "webhook")
    .where("ended_at", "is", null)
    .where("created_at", "<", sql<Date>`now() - ${olderThanHours}::integer * interval '1 hour'`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
