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
import { environments } from "#domain/environment.ts";
import { clientUserRoles, type Invitation } from "#workers/contracts/api/people/invitations.ts";
import { shownPartner } from "#workers/contracts/branding.ts";

const client = z.object({ slug: z.string(), name: z.string(), environment: z.enum(environments) });

const found = z.object({
  email: z.string(),
  name: z.string(),
  role: z.enum(clientUserRoles),
  /** As PostgreSQL writes it. */
  expires_at: z
    .string()
    .nullable()
    .transform((at) => at && new Date(at).toISOString()),
  client,
  partner: shownPartner.nullable(),
  instance_ids: z.array(z.uuid()),
});
export type FoundInvitation = z.output<typeof found>;

/** What became of an invitation that holds no more; `replaced` by one in a later mail. */
export const endings = ["accepted", "rejected", "expired", "withdrawn", "replaced"] as const;

const past = z.object({ state: z.enum(endings), client, partner: shownPartner.nullable() });
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
export function invitationBody({ partner, ...invitation }: FoundInvitation): Invitation {
  return { ...invitation, partner: partner && { id: partner.id, name: partner.name } };
}
