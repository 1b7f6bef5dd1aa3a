/** Takes someone out of the dashboard, or out of every client. */
import type { Kysely } from "kysely";
import type { ListedUser } from "#database/people/users.ts";
import type { DB } from "#database/types.ts";
import type { Environment } from "#domain/environment.ts";
import { Failure } from "../../http/failure.tsx";
import type { Caller } from "../../identity/caller.ts";
import { forgetTenant } from "../clients/forgetting.ts";
import { requireClient } from "../clients/required.ts";

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

/** Removes a person with their places at clients, and ends what they have open at those they could enter. */
export async function removePerson(
  db: Kysely<DB>,
  environment: Environment,
  { id }: Pick<ListedUser, "id">,
  caller: Caller,
): Promise<void> {
  const places = await db
    .deleteFrom("tenantry.client_users")
    .where("user_id", "=", id)
    .returning(["client_id", "status"])
    .execute();
  await db.deleteFrom("tenantry.users").where("id", "=", id).execute();
  for (const { client_id, status } of places) {
    if (status === "validated") await forgetTenant(db, await requireClient(db, environment, client_id), caller);
  }
}
