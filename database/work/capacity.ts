/** What the platform's account holds of each limited thing. */
import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { type Capacity, type CapacityKind, capacityKinds } from "#domain/plans/capacity.ts";
import type { DB } from "../types.ts";

export interface CountedCapacity {
  kind: CapacityKind;
  used: number;
  most: number;
  countedAt: Date;
}

const kind = z.enum(capacityKinds);

/** As it was counted last; empty where it never was. */
export async function readCapacity(db: Kysely<DB>): Promise<CountedCapacity[]> {
  const rows = await db
    .selectFrom("tenantry.account_capacity")
    .select(["kind", "used", "most", "counted_at"])
    .orderBy("kind")
    .execute();
  // A later release may count more.
  return rows.flatMap(({ kind: name, used, most, counted_at: countedAt }) => {
    const { data } = kind.safeParse(name);
    return data === undefined ? [] : [{ kind: data, used, most, countedAt }];
  });
}

/** Keeps a count, and how much of it is neither a platform's nor of a tenant that is deployed. */
export async function storeCapacity(db: Kysely<DB>, used: Capacity, limits: Capacity): Promise<void> {
  const others = (one: CapacityKind) => sql<number>`(
    select greatest(0, ${used[one]}::double precision - u.deployed)
    from tenantry.account_use(tenantry.caller_environment()) u where u.kind = ${one})`;
  await db
    .insertInto("tenantry.account_capacity")
    .values(
      capacityKinds.map((one) => ({
        kind: one,
        used: used[one],
        most: limits[one],
        others: sql<number>`coalesce(${others(one)}, 0)`,
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
