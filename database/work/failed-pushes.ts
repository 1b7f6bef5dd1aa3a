/** What tenants do not have, because sending it to them failed. */
import { type Kysely, sql } from "kysely";
import * as z from "zod";
import type { DB } from "../types.ts";

const failedPush = z.object({
  /** Kind of the job that sends it. */
  job: z.enum(["push_channels", "push_egress", "push_provider_keys"]),
  /** Of the channel, the key or the instance. */
  id: z.uuid(),
  /** Kind of the channel, or provider of the key; empty for egress. */
  name: z.string(),
  slug: z.string(),
  /** With what to do. */
  error: z.string(),
});
export type FailedPush = z.infer<typeof failedPush>;

/** @param slugs default: all */
export async function failedPushes(db: Kysely<DB>, slugs?: readonly string[]): Promise<FailedPush[]> {
  const wanted = slugs === undefined ? sql`true` : sql`c.slug = any (${[...slugs]}::text[])`;
  const { rows } = await sql`
    select p.job, p.id, p.name, c.slug, p.error
    from (
      select 'push_channels' as job, h.id, h.kind as name, h.instance_id, h.last_error as error
      from tenantry.channels h where h.fault = 'push_failed'
      union all
      select 'push_provider_keys', k.id, k.provider, k.instance_id, k.last_error
      from tenantry.provider_keys k where k.fault = 'push_failed'
      union all
      select 'push_egress', i.id, '', i.id, i.egress_last_error
      from tenantry.instances i where i.egress_fault is not null) p
    join tenantry.instances i on i.id = p.instance_id
    join tenantry.clients c on c.id = i.client_id
    where ${wanted}
    order by c.slug, p.job, p.name
  `.execute(db);
  return z.array(failedPush).parse(rows);
}
