/** Takes someone out of the dashboard. */
import type { Kysely } from "kysely";
import type { ListedUser } from "../../../../database/people/users.ts";
import type { DB } from "../../../../database/types.ts";
import { Failure } from "../../http/failure.tsx";
import type { Caller } from "../../identity/caller.ts";

/** @throws Failure `forbidden` for a partner root, `conflict` for the caller itself and for the last platform root */
export async function removeDashboardUser(db: Kysely<DB>, caller: Caller, user: ListedUser): Promise<void> {
  if (caller.role !== "ROOT") {
    throw new Failure("forbidden", "Platform roots alone may remove users of the dashboard; ask one of them.");
  }
  if (user.id === caller.id) throw new Failure("conflict", "Nobody removes themselves; ask another platform root.");
  if (user.role === "ROOT") {
    // All of them, in one order: of two roots that remove each other the second finds itself gone.
    const roots = await db
      .selectFrom("tenantry.dashboard_users")
      .select("id")
      .where("role", "=", "ROOT")
      .orderBy("id")
      .forUpdate()
      .execute();
    if (!roots.some(({ id }) => id === caller.id)) {
      throw new Failure("conflict", "You were removed at the same moment; nobody else is.");
    }
  }
  await db.deleteFrom("tenantry.dashboard_users").where("id", "=", user.id).execute();
}
