/** An open invitation, by its token, as the database's functions of schema `dashboard` tell of it and take an answer. */
import type { Kysely } from "kysely";
import * as z from "zod";
import {
  type InvitationAnswer,
  openInvitation,
  pastInvitation,
  storeInvitationAnswer,
} from "#database/people/invitations.ts";
import type { DB } from "#database/types.ts";
import { type Invitation, invitation } from "#workers/contracts/api/people/invitations.ts";
import { shownPartner } from "#workers/contracts/branding.ts";

const found = invitation.extend({
  /** As PostgreSQL writes it. */
  expires_at: z
    .string()
    .nullable()
    .transform((at) => at && new Date(at).toISOString()),
  partner: shownPartner.nullable(),
});
export type FoundInvitation = z.output<typeof found>;

/** What became of an invitation that holds no more; `replaced` by one in a later mail. */
export const endings = ["accepted", "rejected", "expired", "withdrawn", "replaced"] as const;

const past = found.pick({ client: true, partner: true }).extend({ state: z.enum(endings) });
export type PastInvitation = z.output<typeof past>;

/** SHA-256 of a token; whatever is asked for is hashed and looked up, so that all that is not open takes as long. */
export async function hashToken(token: string): Promise<Buffer> {
  return Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token)));
}

/** What a token invites to; undefined for one that is not open, for whatever reason. Changes nothing. */
export async function findInvitation(db: Kysely<DB>, tokenHash: Buffer): Promise<FoundInvitation | undefined> {
  return found.nullable().parse(await openInvitation(db, tokenHash)) ?? undefined;
}

/** What became of the invitation of a token that is not open; undefined where there never was one, or nothing is left of it. */
export async function findPastInvitation(db: Kysely<DB>, tokenHash: Buffer): Promise<PastInvitation | undefined> {
  return past.nullable().parse(await pastInvitation(db, tokenHash)) ?? undefined;
}

/** Answers an invitation, once. @returns undefined when it is not open, or was answered at the same moment */
export async function answerInvitation(
  db: Kysely<DB>,
  tokenHash: Buffer,
  answer: InvitationAnswer,
): Promise<FoundInvitation | undefined> {
  return found.nullable().parse(await storeInvitationAnswer(db, tokenHash, answer)) ?? undefined;
}

/** An invitation as the API shows it. */
export function invitationBody({ partner, ...rest }: FoundInvitation): Invitation {
  return { ...rest, partner: partner && { id: partner.id, name: partner.name } };
}
