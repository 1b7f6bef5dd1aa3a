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
import { sha256 } from "#workers/shared/hex.ts";
import { instant } from "../instant.ts";

const found = invitation.extend({
  expires_at: instant.nullable(),
  partner: shownPartner.nullable(),
});
export type FoundInvitation = z.output<typeof found>;

/** Outcomes of a closed invitation. `replaced`: a later mail has another link. */
export const endings = ["accepted", "rejected", "expired", "withdrawn", "replaced"] as const;

const past = found.pick({ client: true, partner: true }).extend({ state: z.enum(endings) });
export type PastInvitation = z.output<typeof past>;

/** SHA-256 of a token. Every token is hashed and queried, so that response times reveal nothing. */
export const hashToken = async (token: string): Promise<Buffer> => Buffer.from(await sha256(token));

/** Returns the open invitation of a token, if any. */
export const findInvitation = async (db: Kysely<DB>, tokenHash: Buffer): Promise<FoundInvitation | undefined> =>
  found.nullable().parse(await openInvitation(db, tokenHash)) ?? undefined;

/** Returns the outcome of a closed invitation; `undefined` for an unknown or deleted one. */
export const findPastInvitation = async (db: Kysely<DB>, tokenHash: Buffer): Promise<PastInvitation | undefined> =>
  past.nullable().parse(await pastInvitation(db, tokenHash)) ?? undefined;

/** Stores a decision, once. @returns `undefined` if the invitation is not open */
export async function answerInvitation(
  db: Kysely<DB>,
  tokenHash: Buffer,
  answer: InvitationAnswer,
): Promise<FoundInvitation | undefined> {
  return found.nullable().parse(await storeInvitationAnswer(db, tokenHash, answer)) ?? undefined;
}

/** An invitation as the API shows it. */
export const invitationBody = ({ partner, ...rest }: FoundInvitation): Invitation => ({
  ...rest,
  partner: partner && { id: partner.id, name: partner.name },
});
