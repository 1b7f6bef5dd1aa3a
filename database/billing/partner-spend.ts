import { type Kysely, sql } from "kysely";
import type { Environment } from "#domain/environment.ts";
import type { DB } from "../types.ts";

export interface PartnerSpend {
  partner: { id: string; slug: string; name: string } | null;
  /** Days with spend, earliest first; micro-units of a US dollar. */
  series: { day: string; ai_spend: number }[];
}

/**
 * Returns the model spend of each partner's current and former clients, highest first.
 * @param from day, `YYYY-MM-DD` @param to inclusive
 */
export async function partnerSpend(
  db: Kysely<DB>,
  environment: Environment,
  { from, to }: { from: string; to: string },
): Promise<PartnerSpend[]> {
  const { rows } = await sql<{ partner: PartnerSpend["partner"]; series: PartnerSpend["series"] }>`
    with daily as (
      select a.partner_id, u.day, sum(u.quantity) as spent
      from tenantry.usage_daily u
      join tenantry.billing_accounts a on a.id = u.client_id
      where u.metric = 'ai_spend' and u.day between ${from}::date and ${to}::date and a.environment = ${environment}
        and u.quantity > 0
      group by a.partner_id, u.day)
    select
      case when p.id is not null then jsonb_build_object('id', p.id, 'slug', p.slug, 'name', p.name) end as partner,
      jsonb_agg(jsonb_build_object('day', d.day, 'ai_spend', d.spent) order by d.day) as series
    from daily d
    left join tenantry.partners p on p.id = d.partner_id
    group by p.id
    order by sum(d.spent) desc, p.slug`.execute(db);
  return rows;
}
