/** Channels of tenants whose egress policies list hosts. */
import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { channelKinds } from "#domain/channels/kinds.ts";
import { egressPolicy } from "#domain/egress/policy-types.ts";
import { plans } from "#domain/plans/plan.ts";
import type { DB } from "../types.ts";

const channelPolicies = z.object({
  id: z.uuid(),
  kind: z.enum(channelKinds),
  slug: z.string(),
  plan: z.enum(plans),
  /** Slug of the client's partner. */
  partner: z.string().nullable(),
  partner_policy: egressPolicy.nullable(),
  tenant_policy: egressPolicy.nullable(),
});
export type ChannelPolicies = z.infer<typeof channelPolicies>;

/** @param slugs default: all */
export async function listChannelPolicies(db: Kysely<DB>, slugs?: readonly string[]): Promise<ChannelPolicies[]> {
  const wanted = slugs === undefined ? sql`true` : sql`c.slug = any (${[...slugs]}::text[])`;
  const { rows } = await sql`
    select h.id, h.kind, c.slug, c.billing_plan as plan, p.slug as partner, p.egress as partner_policy, i.egress as tenant_policy
    from tenantry.channels h
    join tenantry.instances i on i.id = h.instance_id
    join tenantry.clients c on c.id = i.client_id
    left join tenantry.partners p on p.id = c.partner_id
    where ${wanted} and (p.egress is not null or i.egress is not null)
    order by c.slug, h.kind, h.id
  `.execute(db);
  return z.array(channelPolicies).parse(rows);
}
