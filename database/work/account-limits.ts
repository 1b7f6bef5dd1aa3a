/** Limits of the platform's account, and needs of platform and tenants, as the platform's stack declares them. */
import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { type Environment, environments } from "#domain/environment.ts";
import { accountKinds } from "#domain/plans/account-limits.ts";
import { containerKinds, containerNeeds } from "#domain/plans/capacity.ts";
import { PLAN_CONTAINERS, plans } from "#domain/plans/plan.ts";
import { ifMigrated } from "../not-migrated.ts";
import type { DB } from "../types.ts";

const use = z.record(z.enum(accountKinds), z.number());
const row = z.object({
  limits: use,
  needs: z.record(z.enum(environments), z.object({ platform: use, tenant: use })),
  // A platform that was deployed before a plan was added does not declare it.
  containers: z
    .partialRecord(z.enum(plans), z.record(z.enum(containerKinds), z.number()))
    .transform((known) => ({ ...containerNeeds(PLAN_CONTAINERS), ...known })),
});

type AccountLimits = z.infer<typeof row>;

/** Returns undefined before a platform's stack has declared the limits, and before the migration that adds the table. */
export async function readAccountLimits(db: Kysely<DB>, environment: Environment): Promise<AccountLimits | undefined> {
  const found = await ifMigrated(
    db
      .selectFrom("tenantry.account_limits")
      .select(["limits", "needs", "containers"])
      .where("environment", "=", environment)
      .executeTakeFirst(),
  );
  return found && row.parse(found);
}

/** Stores a sentence for refusals about platforms on other accounts; empty for none. */
export async function storeElsewhere(db: Kysely<DB>, environment: Environment, elsewhere: string): Promise<void> {
  await db
    .updateTable("tenantry.account_limits")
    .set({ elsewhere })
    .where("environment", "=", environment)
    .where("elsewhere", "<>", elsewhere)
    .execute();
}

interface Outgrown {
  kind: string;
  needed: number;
  most: number;
}

/** Uses the last count, and the platform's present settings. */
export async function readOutgrown(db: Kysely<DB>): Promise<Outgrown[]> {
  return (await sql<Outgrown>`select kind, needed, most from tenantry.account_outgrown()`.execute(db)).rows;
}
