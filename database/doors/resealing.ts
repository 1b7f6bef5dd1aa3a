/** Encrypts the secrets of all doors and channels with another key, while they are in use. */
import { type Kysely, sql, type Transaction } from "kysely";
import type { DB } from "../types.ts";

const BATCH = 100;

export interface SealedDoor {
  id: string;
  slug: string;
  name: string;
  secrets: Buffer;
  former_secrets: Buffer | null;
}

export interface SealedChannel {
  id: string;
  slug: string;
  kind: string;
  credentials: Buffer;
}

export interface SealedProviderKey {
  id: string;
  slug: string;
  provider: string;
  credentials: Buffer;
}

const differs = (column: string, head: Buffer) =>
  sql<boolean>`substring(${sql.ref(column)} from 1 for ${head.length}::integer) <> ${head}`;

/** Changes rows in batches. @param next changes rows behind an ID, and returns the last ID, if any, and the number of changed rows */
async function inBatches(
  db: Kysely<DB>,
  next: (tx: Transaction<DB>, after: string) => Promise<{ last: string | undefined; changed: number }>,
): Promise<number> {
  let all = 0;
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const { last, changed } = await db.transaction().execute((tx) => next(tx, after));
    all += changed;
    if (last === undefined) return all;
    after = last;
  }
}

/**
 * Replaces the secrets of each door of the caller's environment that are not encrypted with the key in use.
 *
 * @param head first bytes of what that key encrypts
 * @param reseal returns the new bytes; `undefined` leaves the door as it is
 * @returns the number of changed doors
 */
export function resealDoors(
  db: Kysely<DB>,
  head: Buffer,
  reseal: (door: SealedDoor) => Promise<Pick<SealedDoor, "secrets" | "former_secrets"> | undefined>,
): Promise<number> {
  return inBatches(db, async (tx, after) => {
    const doors = await tx
      .selectFrom("tenantry.doors as d")
      .innerJoin("tenantry.instances as i", "i.id", "d.instance_id")
      .innerJoin("tenantry.clients as c", "c.id", "i.client_id")
      .select(["d.id", "c.slug", "d.name", "d.secrets", "d.former_secrets"])
      .where("d.id", ">", after)
      .where((e) => e.or([differs("d.secrets", head), differs("d.former_secrets", head)]))
      .orderBy("d.id")
      .limit(BATCH)
      // The dashboard may replace the secrets meanwhile.
      .forUpdate("d")
      .execute();
    let changed = 0;
    for (const door of doors) {
      const next = await reseal(door);
      if (next === undefined) continue;
      const expired = next.former_secrets === null && { former_until: null };
      await tx
        .updateTable("tenantry.doors")
        .set({ ...next, ...expired })
        .where("id", "=", door.id)
        .execute();
      changed += 1;
    }
    return { last: doors.at(-1)?.id, changed };
  });
}

/** Like {@link resealDoors}, for the credentials of channels. */
export function resealChannels(
  db: Kysely<DB>,
  head: Buffer,
  reseal: (channel: SealedChannel) => Promise<Buffer | undefined>,
): Promise<number> {
  return inBatches(db, async (tx, after) => {
    const channels = await tx
      .selectFrom("tenantry.channels as h")
      .innerJoin("tenantry.instances as i", "i.id", "h.instance_id")
      .innerJoin("tenantry.clients as c", "c.id", "i.client_id")
      .select(["h.id", "c.slug", "h.kind", "h.credentials"])
      .where("h.id", ">", after)
      .where(differs("h.credentials", head))
      .orderBy("h.id")
      .limit(BATCH)
      .forUpdate("h")
      .execute();
    let changed = 0;
    for (const channel of channels) {
      const credentials = await reseal(channel);
      if (credentials === undefined) continue;
      await tx.updateTable("tenantry.channels").set({ credentials }).where("id", "=", channel.id).execute();
      changed += 1;
    }
    return { last: channels.at(-1)?.id, changed };
  });
}

/** Like {@link resealDoors}, for provider keys. */
export function resealProviderKeys(
  db: Kysely<DB>,
  head: Buffer,
  reseal: (key: SealedProviderKey) => Promise<Buffer | undefined>,
): Promise<number> {
  return inBatches(db, async (tx, after) => {
    const keys = await tx
      .selectFrom("tenantry.provider_keys as k")
      .innerJoin("tenantry.instances as i", "i.id", "k.instance_id")
      .innerJoin("tenantry.clients as c", "c.id", "i.client_id")
      .select(["k.id", "c.slug", "k.provider", "k.credentials"])
      .where("k.id", ">", after)
      .where(differs("k.credentials", head))
      .orderBy("k.id")
      .limit(BATCH)
      .forUpdate("k")
      .execute();
    let changed = 0;
    for (const key of keys) {
      const credentials = await reseal(key);
      if (credentials === undefined) continue;
      await tx.updateTable("tenantry.provider_keys").set({ credentials }).where("id", "=", key.id).execute();
      changed += 1;
    }
    return { last: keys.at(-1)?.id, changed };
  });
}
