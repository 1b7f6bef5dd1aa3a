import { type Kysely, sql } from "kysely";
import * as z from "zod";
import type { Tariff } from "#domain/billing/day-charge.ts";
import { plans } from "#domain/plans/plan.ts";
import type { DB } from "../types.ts";

const span = z.object({
  validFrom: z.string(),
  plan: z.enum(plans),
  billed: z.boolean(),
  also: z.array(z.enum(plans)),
});
const known = z.object({
  fees: z.array(
    z.object({
      plan: z.enum(plans),
      micros: z.coerce.bigint(),
      perUnits: z.coerce.bigint(),
      validFrom: z.string(),
    }),
  ),
  plans: z.array(span),
  /** By plan; null before the platform's stack declared them. */
  aiSpend: z.partialRecord(z.enum(plans), z.number().nullable()).nullable(),
});

interface PlanFees {
  /** Its prices are only the fees. */
  tariff: Tariff;
  aiSpend: z.infer<typeof known>["aiSpend"];
}

/** Returns the fees of all plans, and the plans of one client, also to callers who do not see the prices; undefined without that client. */
export async function planFees(db: Kysely<DB>, clientId: string): Promise<PlanFees | undefined> {
  const { rows } = await sql<{ fees: unknown }>`select tenantry.plan_fees(${clientId}::uuid) as fees`.execute(db);
  const found = rows[0]?.fees;
  if (found === null || found === undefined) return undefined;
  const { fees, aiSpend, plans: spans } = known.parse(found);
  const [first, ...others] = spans;
  if (first === undefined) return undefined;
  const prices = fees.map((fee) => ({ ...fee, metric: "flat_fee" as const }));
  return { tariff: { prices, plans: [first, ...others] }, aiSpend };
}
