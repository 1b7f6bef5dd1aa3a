/** Encrypts the secrets of all doors, channels, provider keys, egress secrets and notification webhooks with another key, while they are in use. */
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

/** Credentials of a tenant, which are encrypted in one column. */
export interface SealedCredentials {
  id: string;
  slug: string;
  /** Unique in the tenant. */
  name: string;
  credentials: Buffer;
}

const ofInstance = (name: string) => ({
  key: sql.ref("s.id"),
  name: sql.ref(`s.${name}`),
  clients: sql`join tenantry.instances i on i.id = s.instance_id join tenantry.clients c on c.id = i.client_id`,
});

/** How rows are found by table: `key` is the ID that is encrypted with them. */
const TABLES = {
  channels: ofInstance("kind"),
  provider_keys: ofInstance("provider"),
  egress_secrets: ofInstance("name"),
  notification_settings: {
    key: sql.ref("s.client_user_id"),
    name: sql.ref("u.email"),
    clients: sql`join tenantry.client_users u on u.id = s.client_user_id join tenantry.clients c on c.id = u.client_id`,
  },
} as const;

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

/** Like {@link resealDoors}, for the credentials in a table. */
export function resealCredentials(
  db: Kysely<DB>,
  table: keyof typeof TABLES,
  head: Buffer,
  reseal: (found: SealedCredentials) => Promise<Buffer | undefined>,
): Promise<number> {
  const from = sql.table(`tenantry.${table}`);
  const { key, name, clients } = TABLES[table];
  return inBatches(db, async (tx, after) => {
    const { rows } = await sql<SealedCredentials>`
      select ${key} as id, c.slug, ${name} as name, s.credentials
      from ${from} s ${clients}
      where ${key} > ${after} and ${differs("s.credentials", head)} order by ${key} limit ${BATCH} for update of s`.execute(
      tx,
    );
    let changed = 0;
    for (const found of rows) {
      const credentials = await reseal(found);
      if (credentials === undefined) continue;
      await sql`update ${from} s set credentials = ${credentials} where ${key} = ${found.id}`.execute(tx);
      changed += 1;
    }
    return { last: rows.at(-1)?.id, changed };
  });
}
