import type { Kysely } from "kysely";
import type { DB } from "../../../../database/types.ts";
import { Failure } from "../../http/failure.tsx";

/** Sees to it that a partner that a body names is there. Null names none. @throws Failure `invalid_request` */
export async function requirePartner(db: Kysely<DB>, id: string | null): Promise<void> {
  if (id === null) return;
  const found = await db.selectFrom("tenantry.partners").select("id").where("id", "=", id).executeTakeFirst();
  if (found === undefined) {
    throw new Failure("invalid_request", "The body holds values that cannot be.", {
      partner_id: ["there is no such partner"],
    });
  }
}
