import type { Kysely } from "kysely";
import type { DB } from "#database/types.ts";
import { readOutgrown } from "#database/work/account-limits.ts";
import { versionErrors } from "#domain/errors/api/versions.ts";
import { failure } from "../../http/failure.tsx";

/**
 * Checks that the account has room after a rollout. A wave needs no more by itself, because both containers of a tenant are always counted, but
 * it applies the platform's current settings to each tenant.
 *
 * @throws Failure `no_account_capacity`
 */
export async function refuseOutgrown(db: Kysely<DB>): Promise<void> {
  const outgrown = await readOutgrown(db);
  if (outgrown.length === 0) return;
  const kinds = outgrown.map(({ kind, needed, most }) => `${needed} ${kind}, of which it may hold ${most}`);
  throw failure(versionErrors.rollout_exceeds_account, { kinds: kinds.join(", and ") });
}
