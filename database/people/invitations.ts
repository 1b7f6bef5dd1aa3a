/** Invitations by token hash, through functions of schema `dashboard`, whose results the caller parses. */
import { type Kysely, sql } from "kysely";
import type { DB } from "../types.ts";

/** Returns an open invitation, else null. */
export async function openInvitation(db: Kysely<DB>, tokenHash: Buffer): Promise<unknown> {
  const { rows } = await sql<{ invitation: unknown }>`select dashboard.invitation(${tokenHash}) as invitation`.execute(
    db,
  );
  return rows[0]?.invitation ?? null;
}

export async function pastInvitation(db: Kysely<DB>, tokenHash: Buffer): Promise<unknown> {
  const { rows } = await sql<{ past: unknown }>`select dashboard.past_invitation(${tokenHash}) as past`.execute(db);
  return rows[0]?.past ?? null;
}

export interface InvitationAnswer {
  accepts: boolean;
  /** Undefined for all instances of the invitation. */
  instanceIds: readonly string[] | undefined;
  /** Identity from Access; undefined without a login. */
  accessUserUuid: string | undefined;
  source: string;
  requestId: string;
}

/** Accepts or rejects an open invitation. @returns the invitation; null if it is not open */
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
