/** Restores of the database that are not finished, for the automation service. */
import { type Kysely, sql } from "kysely";
import * as z from "zod";
import type { DB } from "../types.ts";

const row = z.object({
  restoredAt: z.date(),
  /** Writes between this time and `restoredAt` are lost. */
  dumpedAt: z.date(),
  /** Clients and months whose invoice may have been issued in between, and that have no issued invoice in the dump. */
  invoices: z.array(z.object({ month: z.string(), slug: z.string() })),
});
export type UnfinishedRestore = z.infer<typeof row>;

/** Returns the environment's restores, oldest first; none before the migration that records them. */
export async function unfinishedRestores(db: Kysely<DB>): Promise<UnfinishedRestore[]> {
  const { rows: tables } = await sql`select to_regclass('tenantry.restores') is not null as found`.execute(db);
  if (!z.array(z.object({ found: z.boolean() })).parse(tables)[0]?.found) return [];
  // The automation service issues invoices at 14:00 on the first day of the next month (`automation/tasks.ts`).
  const { rows } = await sql`
    select r.restored_at as "restoredAt", r.dumped_at as "dumpedAt", (
      select coalesce(jsonb_agg(jsonb_build_object('month', to_char(m.start, 'YYYY-MM'), 'slug', a.slug) order by m.start, a.slug), '[]')
      from generate_series(
          date_trunc('month', r.dumped_at at time zone 'utc') - interval '1 month',
          date_trunc('month', r.restored_at at time zone 'utc') - interval '1 month', interval '1 month') as m (start)
        join tenantry.billing_accounts a on a.environment = r.environment
          and (a.closed_at is null or a.closed_at >= m.start at time zone 'utc')
      where m.start + interval '1 month 14 hours' <= r.restored_at at time zone 'utc'
        and exists (
          select from tenantry.client_plans p where p.client_id = a.id and p.valid_from < m.start + interval '1 month')
        and not exists (
          select from tenantry.invoices v
          where v.client_id = a.id and v.period_start = m.start::date and v.issued_at <= r.dumped_at)) as invoices
    from tenantry.restores r
    where r.finished_at is null
    order by r.restored_at`.execute(db);
  return z.array(row).parse(rows);
}
