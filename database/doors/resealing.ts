/** Encrypts all doors' secrets with another key, while they are in use. */
import { type Kysely, sql } from "kysely";
import type { DB } from "../types.ts";

const BATCH = 100;

export interface SealedDoor {
  id: string;
  slug: string;
  name: string;
  secrets: Buffer;
  former_secrets: Buffer | null;
}

/**
 * Replaces the secrets of each door of the caller's environment that are not encrypted with the key in use.
 *
 * @param head first bytes of what that key encrypts
 * @param reseal returns the new bytes; `undefined` leaves the door as it is
 * @returns the number of changed doors
 */
export async function resealDoors(
  db: Kysely<DB>,
  head: Buffer,
  reseal: (door: SealedDoor) => Promise<Pick<SealedDoor, "secrets" | "former_secrets"> | undefined>,
): Promise<number> {
  let changed = 0;
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const last = await db.transaction().execute(async (tx) => {
      const differs = (column: string) =>
        sql<boolean>`substring(${sql.ref(column)} from 1 for ${head.length}::integer) <> ${head}`;
      const doors = await tx
        .selectFrom("tenantry.doors as d")
        .innerJoin("tenantry.instances as i", "i.id", "d.instance_id")
        .innerJoin("tenantry.clients as c", "c.id", "i.client_id")
        .select(["d.id", "c.slug", "d.name", "d.secrets", "d.former_secrets"])
        .where("d.id", ">", after)
        .where((e) => e.or([differs("d.secrets"), differs("d.former_secrets")]))
        .orderBy("d.id")
        .limit(BATCH)
        // The dashboard may replace the secrets meanwhile.
        .forUpdate("d")
        .execute();
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
      return doors.at(-1)?.id;
    });
    if (last === undefined) return changed;
    after = last;
  }
}
