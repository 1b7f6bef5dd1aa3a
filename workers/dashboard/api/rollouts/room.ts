/** Whether the account has room for what a wave brings to its tenants. */
import type { Kysely } from "kysely";
import type { DB } from "#database/types.ts";
import { readOutgrown } from "#database/work/account-limits.ts";
import { Failure } from "../../http/failure.tsx";

/**
 * Refuses a roll-out after which tenants would take more than the account may hold. By itself a wave takes nothing more, since both containers
 * of a tenant are counted always; but it brings to each tenant what the platform's settings make of it by now.
 *
 * @throws Failure `no_account_capacity`
 */
export async function refuseOutgrown(db: Kysely<DB>): Promise<void> {
  const outgrown = await readOutgrown(db);
  if (outgrown.length === 0) return;
  const kinds = outgrown.map(({ kind, needed, most }) => `${needed} ${kind}, of which it may hold ${most}`);
  throw new Failure(
    "no_account_capacity",
    `The account would have to hold ${kinds.join(", and ")}: the platform's settings make more of each tenant than there is room for. ` +
      "Put those back, remove tenants, or have the vendor raise the limit and set ACCOUNT_LIMITS of the automation service.",
  );
}
