import type { Kysely } from "kysely";
import { deleteDashboardUser, deletePerson, lockPlatformRoots } from "#database/people/user-changes.ts";
import type { ListedUser } from "#database/people/users.ts";
import type { DB } from "#database/types.ts";
import type { Environment } from "#domain/environment.ts";
import { peopleErrors } from "#domain/errors/api/people.ts";
import { failure } from "../../http/failure.tsx";
import type { Caller } from "../../identity/caller.ts";
import { forgetTenant } from "../clients/forgetting.ts";
import { requireClient } from "../required.ts";

/** @throws Failure `forbidden` for a partner root, `conflict` for the caller itself and for the last platform root */
export async function removeDashboardUser(db: Kysely<DB>, caller: Caller, user: ListedUser): Promise<void> {
  if (caller.role !== "ROOT") {
    throw failure(peopleErrors.dashboard_user_deletion_requires_root);
  }
  if (user.id === caller.id) throw failure(peopleErrors.own_user_not_deletable);
  if (user.role === "ROOT") {
    // Locked in one order: of two roots that delete each other, the second finds itself deleted.
    if (!(await lockPlatformRoots(db)).includes(caller.id)) {
      throw failure(peopleErrors.caller_deleted_meanwhile);
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
