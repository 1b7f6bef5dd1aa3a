import { type Kysely, sql, type Transaction } from "kysely";
import { INVITATION_DAYS } from "../people/client-user-changes.ts";
import type { DB, JsonValue } from "../types.ts";
import { queueEvent } from "./events.ts";

export interface Mail {
  id: string;
  kind: string;
  recipient: string;
  data: JsonValue;
  client_id: string | null;
  client_user_id: string | null;
  client_name: string | null;
  client_slug: string | null;
  user_name: string | null;
  partner_id: string | null;
  partner_name: string | null;
  partner_style: JsonValue;
  /** Key of the logo; null without one. */
  partner_logo: string | null;
}

/** Returns a queued mail, locked until the transaction ends; undefined if it was sent, given up or deleted. */
export async function lockQueuedMail(transaction: Transaction<DB>, id: string): Promise<Mail | undefined> {
  return transaction
    .selectFrom("tenantry.mails as m")
    .leftJoin("tenantry.clients as c", "c.id", "m.client_id")
    .leftJoin("tenantry.partners as p", "p.id", "c.partner_id")
    .leftJoin("tenantry.client_users as u", "u.id", "m.client_user_id")
    .select(["m.id", "m.kind", "m.recipient", "m.data", "m.client_id", "m.client_user_id"])
    .select(["c.name as client_name", "c.slug as client_slug", "u.name as user_name"])
    .select(["p.id as partner_id", "p.name as partner_name", "p.style as partner_style", "p.logo_key as partner_logo"])
    .where("m.id", "=", id)
    .where("m.status", "=", "queued")
    .forUpdate("m")
    .executeTakeFirst();
}

/** Records an attempt before it is made. Earlier open ones were interrupted. @returns its number from 1 */
export async function beginAttempt(transaction: Transaction<DB>, mailId: string): Promise<number> {
  await transaction
    .updateTable("tenantry.mail_attempts")
    .set({ ended_at: sql`now()`, answer: "interrupted: it is unknown whether the mail was sent" })
    .where("mail_id", "=", mailId)
    .where("ended_at", "is", null)
    .execute();
  const { attempt } = await transaction
    .insertInto("tenantry.mail_attempts")
    .columns(["mail_id", "attempt"])
    .expression((from) =>
      from
        .selectFrom("tenantry.mail_attempts")
        .select([sql<string>`${mailId}::uuid`.as("mail_id"), sql<number>`coalesce(max(attempt), 0) + 1`.as("attempt")])
        .where("mail_id", "=", mailId),
    )
    .returning("attempt")
    .executeTakeFirstOrThrow();
  return attempt;
}

export type InvitationState = "open" | "answered" | "expired" | "gone";

/** Sets a new token of an open invitation, by its SHA-256, which invalidates the previous one. @returns the invitation's state */
export async function renewInvitation(
  transaction: Transaction<DB>,
  clientUserId: string,
  tokenHash: Buffer,
): Promise<InvitationState> {
  const user = await transaction
    .selectFrom("tenantry.client_users")
    .select(["status", sql<boolean>`coalesce(token_expires_at <= now(), false)`.as("expired")])
    .where("id", "=", clientUserId)
    .forUpdate()
    .executeTakeFirst();
  if (user === undefined) return "gone";
  if (user.status !== "invited") return "answered";
  if (user.expired) return "expired";
  await transaction
    .updateTable("tenantry.client_users")
    .set({
      token_hash: tokenHash,
      token_expires_at: sql`coalesce(token_expires_at, now() + ${INVITATION_DAYS}::integer * interval '1 day')`,
    })
    .where("id", "=", clientUserId)
    .execute();
  return "open";
}

export type MailOutcome = "sent" | "bounced" | "failed";

/** Records the end of an attempt and, if `final`, of the mail. @param end.answer the server's response, or why nothing was sent */
export async function endAttempt(
  db: Kysely<DB>,
  mail: Mail,
  attempt: number,
  end: { outcome: MailOutcome; answer: string; final: boolean },
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction
      .updateTable("tenantry.mail_attempts")
      .set({ ended_at: sql`now()`, outcome: end.outcome, answer: end.answer })
      .where("mail_id", "=", mail.id)
      .where("attempt", "=", attempt)
      .execute();
    if (end.final) await endMail(transaction, mail, end);
  });
}

/** Ends a queued mail, and queues an event. @param end.answer the server's response, or why nothing was sent */
async function endMail(
  transaction: Transaction<DB>,
  mail: Pick<Mail, "id" | "kind" | "recipient" | "client_id" | "client_user_id">,
  { outcome, answer }: { outcome: MailOutcome; answer: string },
): Promise<void> {
  const ended = await transaction
    .updateTable("tenantry.mails")
    .set({ status: outcome, ended_at: sql`now()` })
    .where("id", "=", mail.id)
    .where("status", "=", "queued")
    .returning("id")
    .executeTakeFirst();
  if (ended === undefined) return;
  await queueEvent(transaction, {
    client_id: mail.client_id,
    kind: `mail.${outcome}`,
    data: {
      mail_id: mail.id,
      client_user_id: mail.client_user_id,
      kind: mail.kind,
      recipient: mail.recipient,
      answer,
    },
  });
}

/** Ends mails that are older than all retries of the queue, because their process was killed in the last attempt. @returns their number */
export async function giveUpMails(db: Kysely<DB>, olderThanHours: number): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const old = await transaction
      .selectFrom("tenantry.mails")
      .select(["id", "kind", "recipient", "client_id", "client_user_id"])
      .where("status", "=", "queued")
      .where("created_at", "<", sql<Date>`now() - ${olderThanHours}::integer * interval '1 hour'`)
      .limit(100)
      .forUpdate()
      .skipLocked()
      .execute();
    for (const mail of old) {
      await endMail(transaction, mail, {
        outcome: "failed",
        answer: "given up: it is unknown whether the mail was sent",
      });
    }
    return old.length;
  });
}
