/**
 * Adds new plans of `domain/plans/plans.ts` to the check constraints that list plans, and to the price lists. Plans are never removed, so the
 * previous version works with the database until its environment is upgraded.
 */
import pg from "pg";
import { unitOf } from "#domain/billing/price-list.ts";
import { environments } from "#domain/environment.ts";
import type { Queryable } from "../bookkeeping.ts";
import type { SchemaSource } from "../source.ts";

/** Check constraints that list plans. */
const CONSTRAINTS = [
  { table: "tenantry.client_plans", name: "client_plans_plan_check", column: "plan" },
  { table: "tenantry.clients", name: "clients_billing_plan_check", column: "billing_plan" },
  { table: "tenantry.invoice_line_items", name: "invoice_line_items_plan_check", column: "plan" },
  { table: "tenantry.prices", name: "prices_plan_check", column: "plan" },
] as const;

interface Outdated {
  constraint: (typeof CONSTRAINTS)[number];
  accepted: string[];
  refused: string[];
}
async function outdatedConstraints(client: Queryable, { plans }: Pick<SchemaSource, "plans">): Promise<Outdated[]> {
  const { rows } = await client.query<{ position: number; definition: string }>(
    `select k.position::int, pg_get_constraintdef(c.oid) as definition
     from unnest($1::text[], $2::text[]) with ordinality as k (relation, name, position)
     join pg_constraint c on c.conrelid = to_regclass(k.relation) and c.conname = k.name
     order by k.position`,
    [CONSTRAINTS.map(({ table }) => table), CONSTRAINTS.map(({ name }) => name)],
  );
  return rows.flatMap(({ position, definition }) => {
    const constraint = CONSTRAINTS[position - 1];
    const accepted = [...definition.matchAll(/'([^']+)'::text/g)].map(([, plan = ""]) => plan);
    const refused = plans.filter((plan) => !accepted.includes(plan));
    return constraint === undefined || refused.length === 0 ? [] : [{ constraint, accepted, refused }];
  });
}

export async function refusedPlans(client: Queryable, source: Pick<SchemaSource, "plans">): Promise<string[]> {
  const refused = new Set((await outdatedConstraints(client, source)).flatMap(({ refused }) => refused));
  return source.plans.filter((plan) => refused.has(plan));
}

/** Runs within the caller's transaction, which has locked the tables. */
export async function applyPlans(client: Queryable, source: SchemaSource): Promise<void> {
  for (const { constraint, accepted, refused } of await outdatedConstraints(client, source)) {
    const { table, name, column } = constraint;
    const list = [...accepted, ...refused].map((plan) => pg.escapeLiteral(plan)).join(", ");
    await client.query(
      `alter table ${table} drop constraint ${name}, add constraint ${name} check (${column} in (${list}))`,
    );
    if (table === "tenantry.prices") {
      await insertPrices(
        client,
        source.prices.filter(({ plan }) => refused.includes(plan)),
      );
    }
  }
}

async function insertPrices(client: Queryable, prices: SchemaSource["prices"]): Promise<void> {
  const rows = prices.map(({ plan, metric, micros, perUnits, validFrom }) => ({
    plan,
    metric,
    unit: unitOf(metric),
    valid_from: validFrom,
    micros: String(micros),
    per_units: String(perUnits),
  }));
  await client.query(
    `insert into tenantry.prices (environment, plan, metric, unit, per_units, micros, valid_from)
     select e.environment, p.plan, p.metric, p.unit, p.per_units, p.micros, p.valid_from
     from unnest($1::text[]) as e (environment),
       json_to_recordset($2) as p (plan text, metric text, unit text, per_units bigint, micros bigint, valid_from date)`,
    [[...environments], JSON.stringify(rows)],
  );
}
