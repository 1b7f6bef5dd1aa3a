/** Doors that stacks declare. */
import type { Kysely } from "kysely";
import * as z from "zod";
import { door } from "#domain/entities/door.ts";
import type { Environment } from "#domain/environment.ts";
import { type Plan, plans } from "#domain/plans/plan.ts";
import { ifMigrated, ownerOf } from "../not-migrated.ts";
import { lockClient } from "../tenants/client-changes.ts";
import { lockInstance } from "../tenants/instances.ts";
import type { DB } from "../types.ts";

export interface KnownDoor {
  name: string;
  /** URN of the resource that declares it; undefined for a door of the dashboard. */
  owner: string | undefined;
}

/** Returns the doors of an environment by slug, also before migrations. */
export async function knownDoors(db: Kysely<DB>, environment: Environment): Promise<Record<string, KnownDoor[]>> {
  const rows = await ifMigrated(
    db
      .selectFrom("tenantry.doors as d")
      .innerJoin("tenantry.instances as i", "i.id", "d.instance_id")
      .innerJoin("tenantry.clients as c", "c.id", "i.client_id")
      .select(["c.slug", "d.name", ownerOf("d")])
      .where("i.environment", "=", environment)
      .execute(),
  );
  const known: Record<string, KnownDoor[]> = {};
  for (const { slug, name, owner } of rows ?? []) {
    known[slug] ??= [];
    known[slug].push({ name, owner: owner ?? undefined });
  }
  return known;
}

const place = z.object({ slug: z.string(), client_id: z.uuid(), billing_plan: z.enum(plans) });

/** Locks the client and the instance of a door until the transaction ends, in the same order as elsewhere. */
export async function lockPlace(db: Kysely<DB>, instanceId: string): Promise<{ slug: string; plan: Plan } | undefined> {
  const find = async () => {
    const found = await db
      .selectFrom("tenantry.instances as i")
      .innerJoin("tenantry.clients as c", "c.id", "i.client_id")
      .select(["c.slug", "i.client_id", "c.billing_plan"])
      .where("i.id", "=", instanceId)
      .executeTakeFirst();
    return found && place.parse(found);
  };
  const before = await find();
  if (before === undefined) return undefined;
  await lockClient(db, before.client_id);
  await lockInstance(db, instanceId);
  const { slug, billing_plan: plan } = (await find()) ?? before;
  return { slug, plan };
}

const row = door
  .pick({ id: true, instance_id: true, kind: true, name: true, state: true, managed_by: true })
  .extend({ key_hash: z.instanceof(Buffer), secrets: z.instanceof(Buffer), owner: z.string().nullable() });
export type StoredDoor = z.infer<typeof row>;

/** Finds a door by its ID, or its instance and name. @param lock until the transaction ends */
export async function storedDoor(
  db: Kysely<DB>,
  by: { id: string } | { instanceId: string; name: string },
  lock = false,
): Promise<StoredDoor | undefined> {
  let query = db
    .selectFrom("tenantry.doors")
    .select(["id", "instance_id", "kind", "name", "state", "key_hash", "secrets", "managed_by", "owner"]);
  query =
    "id" in by
      ? query.where("id", "=", by.id)
      : query.where("instance_id", "=", by.instanceId).where("name", "=", by.name);
  if (lock) query = query.forUpdate();
  const found = await query.executeTakeFirst();
  return found && row.parse(found);
}

/** Returns the names of an instance's doors, with their owners. */
export const doorOwners = (
  db: Kysely<DB>,
  instanceId: string,
): Promise<{ id: string; name: string; owner: string | null }[]> =>
  db.selectFrom("tenantry.doors").select(["id", "name", "owner"]).where("instance_id", "=", instanceId).execute();

type DeclaredColumns = Pick<StoredDoor, "name" | "state" | "kind" | "managed_by" | "owner">;

export async function writeDeclared(db: Kysely<DB>, id: string, columns: Partial<DeclaredColumns>): Promise<void> {
  await db.updateTable("tenantry.doors").set(columns).where("id", "=", id).execute();
}
