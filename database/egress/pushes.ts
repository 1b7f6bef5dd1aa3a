/** Pushes of egress policies and secrets to tenants, by the automation service. */
import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { egressPolicy } from "#domain/egress/policy-types.ts";
import type { DB } from "../types.ts";

const policy = egressPolicy.nullable();
const toPush = z.object({
  partner: policy,
  tenant: policy,
  /** Null: partner, tenant and secrets state nothing. */
  revision: z.uuid().nullable(),
  secrets: z.array(z.object({ id: z.uuid(), credentials: z.base64() })),
});
export type EgressToPush = z.infer<typeof toPush>;

/** Returns what the tenant of an instance is to receive, with the credentials of its secrets encrypted and as base64; undefined without the instance. */
export async function egressToPush(db: Kysely<DB>, instanceId: string): Promise<EgressToPush | undefined> {
  const found = await db
    .selectFrom("tenantry.instances as i")
    .innerJoin("tenantry.clients as c", "c.id", "i.client_id")
    .leftJoin("tenantry.partners as p", "p.id", "c.partner_id")
    .select(["p.egress as partner", "i.egress as tenant"])
    .select(sql<string | null>`tenantry.wanted_egress(i.id)`.as("revision"))
    .select(
      sql<unknown>`(select coalesce(jsonb_agg(jsonb_build_object(
          'id', s.id, 'credentials', translate(encode(s.credentials, 'base64'), e'\n', '')) order by s.id), '[]')
        from tenantry.egress_secrets s where s.instance_id = i.id)`.as("secrets"),
    )
    .where("i.id", "=", instanceId)
    .executeTakeFirst();
  return found && toPush.parse(found);
}

/** Stores what the tenant received. @returns false if it is to receive something else by now */
export async function recordEgressPushed(
  db: Kysely<DB>,
  instanceId: string,
  revision: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("tenantry.instances")
    .set({ egress_revision: revision, egress_pushed_at: sql<Date>`now()`, egress_fault: null, egress_last_error: null })
    .where("id", "=", instanceId)
    .where(sql<boolean>`tenantry.wanted_egress(id) is not distinct from ${revision}::uuid`)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Stores that a push failed. */
export async function recordEgressPushFailed(db: Kysely<DB>, instanceId: string, error: string): Promise<void> {
  await db
    .updateTable("tenantry.instances")
    .set({ egress_fault: "push_failed", egress_last_error: error })
    .where("id", "=", instanceId)
    .execute();
}
