import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import type { TestDatabase } from "#database/testing/test-database.ts";

export interface Invited {
  mailId: string;
  userId: string;
  clientId: string;
}

/** Inserts an invited user and the invitation. */
export async function invite(
  { db }: TestDatabase,
  email: string,
  values: { status?: string; expiresAt?: Date; name?: string; partner?: { name: string; style: object } } = {},
): Promise<Invited> {
  const slug = `t-${Math.random().toString(36).slice(2)}`;
  const partner =
    values.partner &&
    (await db
      .insertInto("tenantry.partners")
      .values({
        slug,
        name: values.partner.name,
        style: JSON.stringify(values.partner.style),
        logo_key: "partners/globex/0a1b2c/upload",
        logo_type: "image/png",
      })
      .returning("id")
      .executeTakeFirstOrThrow());
  const clientId = await insertClient(db, { slug, name: "Acme <Corporation>", partner_id: partner?.id ?? null });
  const instance = await insertInstance(db, clientId);
  const userId = await insertClientUser(
    db,
    {
      client_id: clientId,
      email,
      name: values.name ?? "Ada",
      status: values.status ?? "invited",
      token_expires_at: values.expiresAt ?? null,
    },
    [instance],
  );
  const { id: mailId } = await db
    .insertInto("tenantry.mails")
    .values({ kind: "invitation", recipient: email, client_id: clientId, client_user_id: userId })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { mailId, userId, clientId };
}

export const insertMail = (
  { db }: TestDatabase,
  values: { kind: string; recipient: string; client_id?: string; client_user_id?: string },
  data: object,
): Promise<{ id: string }> =>
  db
    .insertInto("tenantry.mails")
    .values({ ...values, data: JSON.stringify(data) })
    .returning("id")
    .executeTakeFirstOrThrow();

/** Returns the mail with its attempts and events. */
export async function mailState({ db }: TestDatabase, mailId: string) {
  const mail = await db.selectFrom("tenantry.mails").selectAll().where("id", "=", mailId).executeTakeFirstOrThrow();
  const attempts = await db
    .selectFrom("tenantry.mail_attempts")
    .select(["attempt", "outcome", "answer", "ended_at"])
    .where("mail_id", "=", mailId)
    .orderBy("attempt")
    .execute();
  const mailEvents = await db
    .selectFrom("tenantry.events")
    .select(["kind", "client_id", "partner_id", "data"])
    .where("kind", "like", "mail.%")
    .execute();
  const events = mailEvents.filter(({ data }) => (data as { mail_id?: string }).mail_id === mailId);
  return { mail, attempts, events };
}

export async function tokenHash({ db }: TestDatabase, userId: string): Promise<string | undefined> {
  const { token_hash } = await db
    .selectFrom("tenantry.client_users")
    .select("token_hash")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  return token_hash?.toString("hex");
}
