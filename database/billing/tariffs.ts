import { type Kysely, sql } from "kysely";
import * as z from "zod";
import type { Tariff } from "#domain/billing/day-charge.ts";
import type { PlanSpan } from "#domain/billing/price-list.ts";
import { environments } from "#domain/environment.ts";
import { plans } from "#domain/plans/plan.ts";
import { dayText } from "../dates.ts";
import type { DB } from "../types.ts";
import { listPrices } from "./prices.ts";

/** Returns the price list and plans of each current or former client, by id. All clients belong to one environment. */
export async function tariffsOf(db: Kysely<DB>, clientIds: readonly string[]): Promise<Map<string, Tariff>> {
  const rows = await db
    .selectFrom("tenantry.client_plans as s")
    .innerJoin("tenantry.billing_accounts as a", "a.id", "s.client_id")
    .select(["s.client_id", "a.environment", "s.plan", "s.billed", "s.also", dayText("s.valid_from").as("validFrom")])
    .where(sql<boolean>`s.client_id = any (${clientIds}::uuid[])`)
    .orderBy("s.client_id")
    .orderBy("s.valid_from")
    .execute();
  const [first] = rows;
  if (first === undefined) return new Map();
  const prices = await listPrices(db, z.enum(environments).parse(first.environment));
  const tariffs = new Map<string, Tariff & { plans: [PlanSpan, ...PlanSpan[]] }>();
  for (const { client_id: id, plan, billed, also, validFrom } of rows) {
    const span = { validFrom, plan: z.enum(plans).parse(plan), billed, also: z.array(z.enum(plans)).parse(also) };
    const tariff = tariffs.get(id);
    if (tariff === undefined) tariffs.set(id, { prices, plans: [span] });
    else tariff.plans.push(span);
  }
  return tariffs;
}
