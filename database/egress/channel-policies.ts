/** Channels of tenants whose egress policies list hosts. */
import type { Kysely } from "kysely";
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
  let query = db
    .selectFrom("tenantry.channels as h")
    .innerJoin("tenantry.instances as i", "i.id", "h.instance_id")
    .innerJoin("tenantry.clients as c", "c.id", "i.client_id")
    .leftJoin("tenantry.partners as p", "p.id", "c.partner_id")
    .select(["h.id", "h.kind", "c.slug", "c.billing_plan as plan"])
    .select(["p.slug as partner", "p.egress as partner_policy", "i.egress as tenant_policy"])
    .where((e) => e.or([e("p.egress", "is not", null), e("i.egress", "is not", null)]))
    .orderBy("c.slug")
    .orderBy("h.kind")
    .orderBy("h.id");
  if (slugs !== undefined) query = query.where("c.slug", "in", [...slugs]);
  return z.array(channelPolicies).parse(await query.execute());
}
