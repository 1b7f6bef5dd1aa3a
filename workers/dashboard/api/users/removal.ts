/** Takes someone out of the dashboard, or out of every client. */
import type { Kysely } from "kysely";
import { deleteDashboardUser, deletePerson, lockPlatformRoots } from "#database/people/user-changes.ts";
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
    if (!(await lockPlatformRoots(db)).includes(caller.id)) {
      throw new Failure("conflict", "You were removed at the same moment; nobody else is.");
    }
  }
  await deleteDashboardUser(db, user.id);
}

/** Removes a person with their places at clients, and ends what they have open at those they could enter. */
export async function removePerson(
  db: Kysely<DB>,
  environment: Environment,
  { id }: Pick<ListedUser, "id">,
  caller: Caller,
): Promise<void> {
  for (const { clientId, status } of await deletePerson(db, id)) {
    if (status === "validated") await forgetTenant(db, await requireClient(db, environment, clientId), caller);
  }
}
