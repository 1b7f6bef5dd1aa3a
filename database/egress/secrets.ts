/** Secrets that tenants' Workers add to requests of their containers. */
import type { Kysely } from "kysely";
import { egressSecret } from "#domain/entities/egress.ts";
import { type Row, rowOf } from "#domain/entities/entity.ts";
import type { Environment } from "#domain/environment.ts";
import type { DB } from "../types.ts";

export type ListedEgressSecret = Row<typeof egressSecret>;
const row = rowOf(egressSecret);

/** Returns an instance's secrets, by name. */
export async function listEgressSecrets(
  db: Kysely<DB>,
  environment: Environment,
  instanceId: string,
): Promise<ListedEgressSecret[]> {
  const found = await db
    .selectFrom("tenantry.egress_secrets as s")
    .innerJoin("tenantry.instances as i", "i.id", "s.instance_id")
    .select(["s.id", "s.instance_id", "s.name", "s.host", "s.header", "s.created_by", "s.created_at"])
    .where("i.environment", "=", environment)
    .where("s.instance_id", "=", instanceId)
    .orderBy("s.name")
    .execute();
  return found.map((one) => row.parse(one));
}

export interface NewEgressSecret {
  id: string;
  instanceId: string;
  name: string;
  host: string;
  header: string;
  /** Encrypted. */
  credentials: Buffer;
  createdBy: string;
}

export async function insertEgressSecret(db: Kysely<DB>, created: NewEgressSecret): Promise<void> {
  const { instanceId: instance_id, createdBy: created_by, ...columns } = created;
  await db
    .insertInto("tenantry.egress_secrets")
    .values({ ...columns, instance_id, created_by })
    .execute();
}

export async function countEgressSecrets(db: Kysely<DB>, instanceId: string): Promise<number> {
  const { count } = await db
    .selectFrom("tenantry.egress_secrets")
    .select((e) => e.fn.countAll<string>().as("count"))
    .where("instance_id", "=", instanceId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** @returns the id of the deleted secret; undefined if the instance has none such */
export async function deleteEgressSecret(
  db: Kysely<DB>,
  instanceId: string,
  which: { id: string } | { name: string },
): Promise<{ id: string; name: string } | undefined> {
  const [column, value] = "id" in which ? (["id", which.id] as const) : (["name", which.name] as const);
  return db
    .deleteFrom("tenantry.egress_secrets")
    .where("instance_id", "=", instanceId)
    .where(column, "=", value)
    .returning(["id", "name"])
    .executeTakeFirst();
}
