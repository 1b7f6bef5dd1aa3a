import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { refusalText } from "#domain/doors/refusals.ts";
import { door } from "#domain/entities/door.ts";
import { rowOf } from "#domain/entities/entity.ts";
import type { Environment } from "#domain/environment.ts";
import { namedColumns } from "../named-columns.ts";
import type { DB } from "../types.ts";

const row = rowOf(door.omit({ declared_in: true }).extend({ owner: z.string().nullable() }));
export type ListedDoor = z.infer<typeof row>;

function selectDoors(db: Kysely<DB>, environment: Environment) {
  return db
    .selectFrom("tenantry.doors as d")
    .innerJoin("tenantry.instances as i", "i.id", "d.instance_id")
    .select(["d.id", "d.instance_id", "d.kind", "d.name", "d.state", "d.key_hint", "d.secret_names", "d.created_by"])
    .select(["d.managed_by", "d.owner"])
    .select(["d.created_at", "d.updated_at", "d.rotated_at", "d.last_used_at", "d.version"])
    .select(["d.last_refused_at", "d.last_refusal"])
    .select(sql<Date | null>`case when d.former_key_until > now() then d.former_key_until end`.as("former_key_until"))
    .select(sql<Date | null>`case when d.former_until > now() then d.former_until end`.as("former_until"))
    .where("i.environment", "=", environment);
}

/** Returns an instance's doors, oldest first. */
export async function listDoors(db: Kysely<DB>, environment: Environment, instanceId: string): Promise<ListedDoor[]> {
  const found = await selectDoors(db, environment)
    .where("d.instance_id", "=", instanceId)
    .orderBy("d.created_at")
    .orderBy("d.id")
    .execute();
  return found.map(toListed);
}

type Selected = Awaited<ReturnType<ReturnType<typeof selectDoors>["execute"]>>[number];

const toListed = ({ last_refusal: reason, ...found }: Selected): ListedDoor =>
  row.parse({ ...found, last_refusal: reason === null ? null : refusalText(reason) });

export async function findDoor(db: Kysely<DB>, environment: Environment, id: string): Promise<ListedDoor | undefined> {
  const found = await selectDoors(db, environment).where("d.id", "=", id).executeTakeFirst();
  return found && toListed(found);
}

export async function countDoors(db: Kysely<DB>, instanceId: string): Promise<number> {
  const { count } = await db
    .selectFrom("tenantry.doors")
    .select((e) => e.fn.countAll().as("count"))
    .where("instance_id", "=", instanceId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Locks a door until the transaction ends, and returns its encrypted secrets. */
export async function lockDoor(db: Kysely<DB>, id: string): Promise<Buffer | undefined> {
  const found = await db
    .selectFrom("tenantry.doors")
    .select("secrets")
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return found?.secrets;
}

export interface NewDoor {
  id: string;
  instanceId: string;
  kind: ListedDoor["kind"];
  name: string;
  keyHash: Buffer;
  keyHint: string;
  /** Encrypted. */
  secrets: Buffer;
  secretNames: readonly string[];
  createdBy: string;
  /** Default: active. */
  state?: ListedDoor["state"];
  /** URN of the stack's resource that declares it. Default: the dashboard manages it. */
  owner?: string;
}

export async function insertDoor(db: Kysely<DB>, created: NewDoor): Promise<void> {
  const { id, instanceId, kind, name, keyHash, keyHint, secrets, secretNames, createdBy, owner, state } = created;
  await db
    .insertInto("tenantry.doors")
    .values({
      ...{ id, kind, name, secrets, instance_id: instanceId, key_hash: keyHash, key_hint: keyHint },
      ...{ secret_names: [...secretNames], created_by: createdBy, ...(state && { state }) },
      ...(owner !== undefined && { owner, managed_by: "git" }),
    })
    .execute();
}

export async function updateDoor(
  db: Kysely<DB>,
  id: string,
  changes: { name?: string | undefined; state?: ListedDoor["state"] | undefined },
): Promise<void> {
  const columns = namedColumns(changes);
  if (columns !== undefined) await db.updateTable("tenantry.doors").set(columns).where("id", "=", id).execute();
}

export async function deleteDoor(db: Kysely<DB>, id: string): Promise<void> {
  await db.deleteFrom("tenantry.doors").where("id", "=", id).execute();
}

const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`;

/** @param seconds for which the former key is accepted */
export async function replaceKey(
  db: Kysely<DB>,
  id: string,
  { keyHash, keyHint, seconds }: { keyHash: Buffer; keyHint: string; seconds: number },
): Promise<void> {
  await db
    .updateTable("tenantry.doors")
    .set((e) => ({
      key_hash: keyHash,
      key_hint: keyHint,
      former_key_hash: seconds === 0 ? null : e.ref("key_hash"),
      former_key_until: seconds === 0 ? null : inSeconds(seconds),
      rotated_at: sql<Date>`now()`,
    }))
    .where("id", "=", id)
    .execute();
}

/** @param seconds for which the former secrets are accepted */
export async function replaceSecrets(
  db: Kysely<DB>,
  id: string,
  { secrets, secretNames, seconds }: { secrets: Buffer; secretNames: readonly string[]; seconds: number },
): Promise<void> {
  await db
    .updateTable("tenantry.doors")
    .set((e) => ({
      secrets,
      secret_names: [...secretNames],
      former_secrets: seconds === 0 ? null : e.ref("secrets"),
      former_until: seconds === 0 ? null : inSeconds(seconds),
      rotated_at: sql<Date>`now()`,
    }))
    .where("id", "=", id)
    .execute();
}
