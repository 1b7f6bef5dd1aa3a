import type { Kysely } from "kysely";
import { findPartner, findPartnerName, type ListedPartner } from "#database/people/partners.ts";
import type { DB } from "#database/types.ts";
import type { Environment } from "#domain/environment.ts";
import { Failure } from "../../http/failure.tsx";
import { requireVersion } from "../../http/versions.ts";

/** Sees to it that a partner that a body names is there. Null names none. @throws Failure `invalid_request` */
export async function requirePartner(db: Kysely<DB>, id: string | null): Promise<void> {
  if (id === null) return;
  if ((await findPartnerName(db, id)) === undefined) {
    throw new Failure("invalid_request", "The body holds values that cannot be.", {
      partner_id: ["there is no such partner"],
    });
  }
}

/** The partner of an address. @throws Failure `not_found` for one that is not there, or not for the caller */
export async function partnerAt(db: Kysely<DB>, environment: Environment, id: string): Promise<ListedPartner> {
  return present(await findPartner(db, environment, id));
}

/** The same, as it stays until the transaction's end. @throws Failure `precondition_failed` when it is none of the expected versions */
export async function lockPartner(
  db: Kysely<DB>,
  environment: Environment,
  id: string,
  expected: readonly number[] | undefined,
): Promise<ListedPartner> {
  const found = present(await findPartner(db, environment, id, { lock: true }));
  requireVersion(expected, found.version);
  return found;
}

function present(found: ListedPartner | undefined): ListedPartner {
  if (found === undefined) throw new Failure("not_found", "There is no such partner.");
  return found;
}
