/** What the platform's account holds of each limited thing. */
import type { Kysely } from "kysely";
import * as z from "zod";
import { type Capacity, type CapacityKind, capacityKinds } from "../../domain/capacity.ts";
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

/** Keeps a count. */
export async function storeCapacity(db: Kysely<DB>, used: Capacity, limits: Capacity): Promise<void> {
  await db
    .insertInto("tenantry.account_capacity")
    .values(capacityKinds.map((one) => ({ kind: one, used: used[one], most: limits[one], counted_at: new Date() })))
    .onConflict((conflict) =>
      conflict.columns(["environment", "kind"]).doUpdateSet((row) => ({
        used: row.ref("excluded.used"),
        most: row.ref("excluded.most"),
        counted_at: row.ref("excluded.counted_at"),
      })),
    )
    .execute();
}
