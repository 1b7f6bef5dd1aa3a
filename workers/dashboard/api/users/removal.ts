import type { Kysely } from "kysely";
import { deleteDashboardUser, deletePerson, lockPlatformRoots } from "#database/people/user-changes.ts";
import type { ListedUser } from "#database/people/users.ts";
import type { DB } from "#database/types.ts";
import type { Environment } from "#domain/environment.ts";
import { Failure } from "../../http/failure.tsx";
import type { Caller } from "../../identity/caller.ts";
import { forgetTenant } from "../clients/forgetting.ts";
import { requireClient } from "../required.ts";

/** @throws Failure `forbidden` for a partner root, `conflict` for the caller itself and for the last platform root */
export async function removeDashboardUser(db: Kysely<DB>, caller: Caller, user: ListedUser): Promise<void> {
  if (caller.role !== "ROOT") {
    throw new Failure("forbidden", "Only a platform root can delete users of the dashboard. Ask one of them.");
  }
  if (user.id === caller.id) throw new Failure("conflict", "You cannot delete yourself. Ask another platform root.");
  if (user.role === "ROOT") {
    // Locked in one order: of two roots that delete each other, the second finds itself deleted.
    if (!(await lockPlatformRoots(db)).includes(caller.id)) {
      throw new Failure("conflict", "You were deleted at the same time. No other user was deleted.");
    }
  }
  await deleteDashboardUser(db, user.id);
}

/** Deletes a person with their access to clients, and closes their open sessions there. */
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
