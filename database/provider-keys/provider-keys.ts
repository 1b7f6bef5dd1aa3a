import type { Kysely } from "kysely";
import * as z from "zod";
import { type Row, rowOf } from "#domain/entities/entity.ts";
import { providerKey } from "#domain/entities/provider-key.ts";
import type { Environment } from "#domain/environment.ts";
import { type KeyProvider, providerKeyFaults, providerKeyState } from "#domain/provider-keys/providers.ts";
import type { DB } from "../types.ts";

export type ListedProviderKey = Row<typeof providerKey>;
const row = rowOf(providerKey.omit({ state: true }));
const stored = z.object({ fault: z.enum(providerKeyFaults).nullable() });

/** Returns an instance's keys, by provider. */
export async function listProviderKeys(
  db: Kysely<DB>,
  environment: Environment,
  instanceId: string,
): Promise<ListedProviderKey[]> {
  const found = await db
    .selectFrom("tenantry.provider_keys as k")
    .innerJoin("tenantry.instances as i", "i.id", "k.instance_id")
    .select(["k.id", "k.instance_id", "k.provider", "k.key_hint", "k.fault", "k.last_error", "k.last_error_at"])
    .select(["k.pushed_at", "k.last_used_at", "k.created_by", "k.created_at"])
    .where("i.environment", "=", environment)
    .where("k.instance_id", "=", instanceId)
    .orderBy("k.provider")
    .execute();
  return found.map((one) => {
    const columns = row.parse(one);
    return { ...columns, state: providerKeyState({ ...columns, ...stored.parse(one) }) };
  });
}

export interface NewProviderKey {
  id: string;
  instanceId: string;
  provider: KeyProvider;
  /** Encrypted. */
  credentials: Buffer;
  keyHint: string;
  createdBy: string;
}

export async function insertProviderKey(db: Kysely<DB>, created: NewProviderKey): Promise<void> {
  const { id, instanceId, provider, credentials, keyHint, createdBy } = created;
  const columns = { instance_id: instanceId, key_hint: keyHint, created_by: createdBy };
  await db
    .insertInto("tenantry.provider_keys")
    .values({ id, provider, credentials, ...columns })
    .execute();
}

/** @returns the id of the deleted key; undefined if the instance has none for the provider */
export async function deleteProviderKey(
  db: Kysely<DB>,
  instanceId: string,
  provider: KeyProvider,
): Promise<string | undefined> {
  const deleted = await db
    .deleteFrom("tenantry.provider_keys")
    .where("instance_id", "=", instanceId)
    .where("provider", "=", provider)
    .returning("id")
    .executeTakeFirst();
  return deleted?.id;
}
