import type { Kysely } from "kysely";
import type { DB } from "#database/types.ts";
import { readOutgrown } from "#database/work/account-limits.ts";
import { Failure } from "../../http/failure.tsx";

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
  throw new Failure(
    "no_account_capacity",
    `The platform's settings need more of each tenant than the account has room for: ${kinds.join(", and ")}. ` +
      "Revert the settings, remove tenants, or have the vendor raise the limit and set ACCOUNT_LIMITS of the automation service.",
  );
}
