import type { Kysely, Transaction } from "kysely";
import * as z from "zod";
import { type Price, unitOf } from "#domain/billing/price-list.ts";
import { usageMetrics } from "#domain/billing/usage-metric.ts";
import type { Environment } from "#domain/environment.ts";
import { plans } from "#domain/plans/plan.ts";
import { dayText } from "../dates.ts";
import type { DB } from "../types.ts";

const row = z.object({
  id: z.uuid(),
  plan: z.enum(plans),
  metric: z.enum(["flat_fee", ...usageMetrics]),
  unit: z.string(),
  perUnits: z.coerce.bigint(),
  micros: z.coerce.bigint(),
  validFrom: z.string(),
});
export type ListedPrice = z.infer<typeof row>;

/** Returns past, current and future prices of an environment, by plan, metric and day. */
export async function listPrices(db: Kysely<DB>, environment: Environment): Promise<ListedPrice[]> {
  const rows = await db
    .selectFrom("tenantry.prices")
    .select(["id", "plan", "metric", "unit", "per_units as perUnits", "micros", dayText("valid_from").as("validFrom")])
    .where("environment", "=", environment)
    .orderBy("plan")
    .orderBy("metric")
    .orderBy("valid_from")
    .execute();
  return rows.map((price) => row.parse(price));
}

/**
 * Sets the price of a metric on a plan from a day on, and replaces an existing one of that day.
 * @returns the row's id
 * @throws pg's error TN003 for a past day
 */
export async function setPrice(tx: Transaction<DB>, environment: Environment, price: Price): Promise<string> {
  const values = { per_units: price.perUnits, micros: price.micros };
  const { id } = await tx
    .insertInto("tenantry.prices")
    .values({
      environment,
      plan: price.plan,
      metric: price.metric,
      unit: unitOf(price.metric),
      valid_from: price.validFrom,
      ...values,
    })
    .onConflict((conflict) => conflict.columns(["environment", "plan", "metric", "valid_from"]).doUpdateSet(values))
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}
