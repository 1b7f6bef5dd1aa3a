/** Invitations by the hash of their token: calls of the functions in schema `dashboard`, whose results the caller parses. */
import { type Kysely, sql } from "kysely";
import type { DB } from "../types.ts";

/** An open invitation; null for any other. */
export async function openInvitation(db: Kysely<DB>, tokenHash: Buffer): Promise<unknown> {
  const { rows } = await sql<{ invitation: unknown }>`select dashboard.invitation(${tokenHash}) as invitation`.execute(
    db,
  );
  return rows[0]?.invitation ?? null;
}

/** How an invitation ended that is not open; null if it is unknown. */
export async function pastInvitation(db: Kysely<DB>, tokenHash: Buffer): Promise<unknown> {
  const { rows } = await sql<{ past: unknown }>`select dashboard.past_invitation(${tokenHash}) as past`.execute(db);
  return rows[0]?.past ?? null;
}

export interface InvitationAnswer {
  accepts: boolean;
  /** Undefined for all that the invitation names. */
  instanceIds: readonly string[] | undefined;
  /** Identity that Access reports; undefined without a login. */
  accessUserUuid: string | undefined;
  source: string;
  requestId: string;
}

/** Answers an open invitation. @returns the invitation; null if it is not open */
export async function storeInvitationAnswer(
  db: Kysely<DB>,
  tokenHash: Buffer,
  { accepts, instanceIds, accessUserUuid, source, requestId }: InvitationAnswer,
): Promise<unknown> {
  const { rows } = await sql<{ invitation: unknown }>`
    select dashboard.answer_invitation(
      ${tokenHash}, ${accepts}, ${instanceIds ?? null}::uuid[], ${accessUserUuid ?? null}::uuid, ${source}, ${requestId}) as invitation
  `.execute(db);
  return rows[0]?.invitation ?? null;
}
