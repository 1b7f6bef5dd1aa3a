/** Pushes of provider keys to their tenants, and what tenants report of them, by the automation service. */
import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { providerKey } from "#domain/entities/provider-key.ts";
import type { Environment } from "#domain/environment.ts";
import { type ProviderFault, providerKeyFaults } from "#domain/provider-keys/providers.ts";
import type { DB } from "../types.ts";

export interface SealedProviderKey {
  id: string;
  /** Encrypted. */
  credentials: Buffer;
}

/** Returns what the tenant of an instance is to receive. */
export async function providerKeysToPush(db: Kysely<DB>, instanceId: string): Promise<SealedProviderKey[]> {
  return db
    .selectFrom("tenantry.provider_keys")
    .select(["id", "credentials"])
    .where("instance_id", "=", instanceId)
    .orderBy("provider")
    .execute();
}

const NO_FAULT = { fault: null, last_error: null, last_error_at: null } as const;

/** Stores that the tenant has keys. What a provider reported of one stays. @returns whether it stored all */
export async function recordKeysPushed(db: Kysely<DB>, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return true;
  const update = () => db.updateTable("tenantry.provider_keys").where("id", "in", ids);
  const { numUpdatedRows } = await update().set({ pushed_at: sql<Date>`now()` }).executeTakeFirst();
  await update().set(NO_FAULT).where("fault", "=", "push_failed").execute();
  return numUpdatedRows === BigInt(ids.length);
}

/** Stores that a push failed. What a provider reported of a key stays. */
export async function recordKeyPushFailed(db: Kysely<DB>, instanceId: string, error: string): Promise<void> {
  await db
    .updateTable("tenantry.provider_keys")
    .set({ fault: "push_failed", last_error: error, last_error_at: sql<Date>`now()` })
    .where("instance_id", "=", instanceId)
    .where((e) => e.or([e("fault", "is", null), e("fault", "=", "push_failed")]))
    .execute();
}

const watched = z.object({
  id: z.uuid(),
  slug: z.string(),
  clientId: z.uuid(),
  keys: z.array(
    z.object({
      id: providerKey.shape.id,
      provider: providerKey.shape.provider,
      fault: z.enum(providerKeyFaults).nullable(),
      lastError: providerKey.shape.last_error,
      lastErrorAt: z.coerce.date().nullable(),
      lastUsedAt: z.coerce.date().nullable(),
    }),
  ),
});
/** An instance whose tenant has keys. */
export type WatchedInstance = z.infer<typeof watched>;

export async function instancesWithProviderKeys(db: Kysely<DB>, environment: Environment): Promise<WatchedInstance[]> {
  const found = await db
    .selectFrom("tenantry.provider_keys as k")
    .innerJoin("tenantry.instances as i", "i.id", "k.instance_id")
    .innerJoin("tenantry.clients as c", "c.id", "i.client_id")
    .select(["i.id", "c.slug", "c.id as clientId"])
    .select(
      sql<unknown>`jsonb_agg(jsonb_build_object(
        'id', k.id, 'provider', k.provider, 'fault', k.fault, 'lastError', k.last_error,
        'lastErrorAt', k.last_error_at, 'lastUsedAt', k.last_used_at))`.as("keys"),
    )
    .where("i.environment", "=", environment)
    .where("k.pushed_at", "is not", null)
    .groupBy(["i.id", "c.id"])
    .orderBy("i.id")
    .execute();
  return found.map((one) => watched.parse(one));
}

export interface ReportedKey {
  id: string;
  lastUsedAt: Date | null;
  /** What the provider reports; null if it accepts the key. */
  fault: { kind: ProviderFault; message: string; at: Date } | null;
}

/** Stores what a tenant reports of a key. A failed push stays the key's fault. */
export async function recordKeyReport(db: Kysely<DB>, { id, lastUsedAt, fault }: ReportedKey): Promise<void> {
  const reported =
    fault === null ? NO_FAULT : { fault: fault.kind, last_error: fault.message, last_error_at: fault.at };
  await db
    .updateTable("tenantry.provider_keys")
    .set({ last_used_at: lastUsedAt, ...reported })
    .where("id", "=", id)
    .where((e) => e.or([e("fault", "is", null), e("fault", "<>", "push_failed")]))
    .execute();
}
