import type { Kysely } from "kysely";
import { findPartner, findPartnerName, type ListedPartner } from "#database/people/partners.ts";
import type { DB } from "#database/types.ts";
import type { Environment } from "#domain/environment.ts";
import { partnerErrors } from "#domain/errors/api/partners.ts";
import { invalidInput, requireFound } from "../../http/failure.tsx";
import { type Expectation, requireUnchanged } from "../changed-by.ts";

/** @throws Failure `invalid_request` for an unknown `partner_id` of a body; null is valid */
export async function requirePartner(db: Kysely<DB>, id: string | null): Promise<void> {
  if (id === null || (await findPartnerName(db, id)) !== undefined) return;
  throw invalidInput("body", { partner_id: ["is not the ID of a partner"] });
}

export const partnerAt = async (db: Kysely<DB>, environment: Environment, id: string): Promise<ListedPartner> =>
  requireFound(await findPartner(db, environment, id), partnerErrors.partner_not_found);

/** Locks a partner until the transaction ends. @throws Failure `not_found`, or `precondition_failed` for another version */
export async function lockPartner(
  db: Kysely<DB>,
  environment: Environment,
  id: string,
  { expected, caller }: Expectation,
): Promise<ListedPartner> {
  const found = requireFound(await findPartner(db, environment, id, { lock: true }), partnerErrors.partner_not_found);
  await requireUnchanged(db, expected, { entity: "partners", ...found }, caller);
  return found;
}
