/** Egress policies of partners and tenants. */
import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { channelKinds } from "#domain/channels/kinds.ts";
import { ownServerKinds } from "#domain/egress/channel-hosts.ts";
import { type EgressPolicy, egressPolicy } from "#domain/egress/policy-types.ts";
import { partner } from "#domain/entities/partner.ts";
import type { Environment } from "#domain/environment.ts";
import { plans } from "#domain/plans/plan.ts";
import type { DB } from "../types.ts";

const policy = egressPolicy.nullable();

/** What is stored of a tenant's policies. */
export const storedEgress = z.object({
  plan: z.enum(plans),
  partner: policy,
  tenant: policy,
  /** Of what the tenant is to have, and of what it has; null for nothing. */
  wanted: z.string().nullable(),
  egress_revision: z.string().nullable(),
  egress_fault: z.string().nullable(),
  last_error: z.string().nullable(),
  pushed_at: z.coerce.date().nullable(),
  version: z.number(),
});
export type StoredEgress = z.infer<typeof storedEgress>;

export async function findEgress(
  db: Kysely<DB>,
  environment: Environment,
  instanceId: string,
): Promise<StoredEgress | undefined> {
  const found = await db
    .selectFrom("tenantry.instances as i")
    .innerJoin("tenantry.clients as c", "c.id", "i.client_id")
    .leftJoin("tenantry.partners as p", "p.id", "c.partner_id")
    .select(["c.billing_plan as plan", "p.egress as partner", "i.egress as tenant", "i.version"])
    .select(["i.egress_revision", "i.egress_fault", "i.egress_last_error as last_error"])
    .select(["i.egress_pushed_at as pushed_at", sql<string | null>`tenantry.wanted_egress(i.id)`.as("wanted")])
    .where("i.environment", "=", environment)
    .where("i.id", "=", instanceId)
    .executeTakeFirst();
  return found && storedEgress.parse(found);
}

/** A trigger requests that the tenant receives it. @param set null states nothing */
export async function setInstanceEgress(db: Kysely<DB>, id: string, set: EgressPolicy | null): Promise<void> {
  await db
    .updateTable("tenantry.instances")
    .set({ egress: jsonOf(set) })
    .where("id", "=", id)
    .execute();
}

/** A trigger requests that the partner's tenants receive it. @param set null states nothing */
export async function setPartnerEgress(db: Kysely<DB>, id: string, set: EgressPolicy | null): Promise<void> {
  await db
    .updateTable("tenantry.partners")
    .set({ egress: jsonOf(set) })
    .where("id", "=", id)
    .execute();
}

const jsonOf = (set: EgressPolicy | null) => (set === null ? null : JSON.stringify(set));

const storedPartner = partner
  .pick({ id: true, slug: true, managed_by: true, version: true })
  .extend({ policy, owner: z.string().nullable() });
export type StoredPartnerEgress = z.infer<typeof storedPartner>;

/** @param options.lock until the transaction ends */
export async function findPartnerEgress(
  db: Kysely<DB>,
  environment: Environment,
  id: string,
  { lock = false } = {},
): Promise<StoredPartnerEgress | undefined> {
  const query = db
    .selectFrom("tenantry.partners as p")
    .select(["p.id", "p.slug", "p.egress as policy", "p.managed_by", "p.owner", "p.version"])
    .where("p.environment", "=", environment)
    .where("p.id", "=", id);
  const found = await (lock ? query.forUpdate() : query).executeTakeFirst();
  return found && storedPartner.parse(found);
}

const storedChannel = z.object({
  id: z.uuid(),
  kind: z.enum(channelKinds),
  /** Encrypted; null of a kind without a server of its own. */
  credentials: z.instanceof(Buffer).nullable(),
});
export type StoredEgressChannel = z.infer<typeof storedChannel>;

/** Returns the channels of an instance, or of a partner's tenants. */
export async function listEgressChannels(
  db: Kysely<DB>,
  of: { instanceId: string } | { partnerId: string },
): Promise<StoredEgressChannel[]> {
  const query = db
    .selectFrom("tenantry.channels as h")
    .innerJoin("tenantry.instances as i", "i.id", "h.instance_id")
    .innerJoin("tenantry.clients as c", "c.id", "i.client_id")
    .select((e) => [
      "h.id",
      "h.kind",
      e.case().when("h.kind", "in", ownServerKinds).then(e.ref("h.credentials")).end().as("credentials"),
    ]);
  const found = await ("instanceId" in of
    ? query.where("h.instance_id", "=", of.instanceId)
    : query.where("c.partner_id", "=", of.partnerId)
  ).execute();
  return found.map((one) => storedChannel.parse(one));
}
