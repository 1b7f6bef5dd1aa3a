import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { type Capacity, type CapacityKind, capacityKinds } from "#domain/plans/capacity.ts";
import type { DB } from "../types.ts";

interface CountedCapacity {
  kind: CapacityKind;
  used: number;
  most: number;
  countedAt: Date;
}

const kind = z.enum(capacityKinds);

export async function readCapacity(db: Kysely<DB>): Promise<CountedCapacity[]> {
  const rows = await db
    .selectFrom("tenantry.account_capacity")
    .select(["kind", "used", "most", "counted_at"])
    .orderBy("kind")
    .execute();
  // A later release may count other kinds.
  return rows.flatMap(({ kind: name, used, most, counted_at: countedAt }) => {
    const { data } = kind.safeParse(name);
    return data === undefined ? [] : [{ kind: data, used, most, countedAt }];
  });
}

/** Stores a count, with the part that belongs neither to a platform nor to a deployed tenant. */
export async function storeCapacity(db: Kysely<DB>, used: Capacity, limits: Capacity): Promise<void> {
  const others = (counted: CapacityKind) => sql<number>`(
    select greatest(0, ${used[counted]}::double precision - u.deployed)
    from tenantry.account_use(tenantry.caller_environment()) u where u.kind = ${counted})`;
  await db
    .insertInto("tenantry.account_capacity")
    .values(
      capacityKinds.map((counted) => ({
        kind: counted,
        used: used[counted],
        most: limits[counted],
        others: sql<number>`coalesce(${others(counted)}, 0)`,
        counted_at: new Date(),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(["environment", "kind"]).doUpdateSet((row) => ({
        used: row.ref("excluded.used"),
        most: row.ref("excluded.most"),
        others: row.ref("excluded.others"),
        counted_at: row.ref("excluded.counted_at"),
      })),
    )
    .execute();
}
