/** Deletes a client after its grace period. Removes an instance of the dashboard first. */
import { deleteClient, findDeletionBlocker } from "#database/tenants/deletion/deletion.ts";
import { findErasure } from "#database/tenants/deletion/erasures.ts";
import { beginRemoval, failedRemoval } from "#database/tenants/deletion/removal.ts";
import type { OperatedClient } from "#database/tenants/operation.ts";
import { errorText } from "#domain/errors/catalogue.ts";
import { jobErrors, overtakenJobs, waitingJobs } from "#domain/errors/service/automation-jobs.ts";
import { stackOf } from "#domain/tenants/owner.ts";
import { type Run, TaskError } from "../../task.ts";
import { eraseAndCheck } from "../erasing.ts";
import type { JobKind } from "../kind.ts";
import { JobOvertaken } from "../refusals.ts";

export const deleteClientKind: JobKind = {
  name: "delete_client",
  async waitsFor({ client_id, slug }, run, { environment, erasing }) {
    if (client_id === null) return undefined;
    const erasure = await findErasure(run.db, { clientId: client_id });
    if (erasure !== undefined && erasing === undefined) return errorText(jobErrors.job_without_engine);
    const hindrance = await findDeletionBlocker(run.db, client_id);
    if (hindrance === undefined) return undefined;
    if (hindrance.what === "instance") {
      return removeClient({ clientId: client_id, slug, environment }, run, erasure !== undefined);
    }
    const stack = hindrance.owner === null ? "its stack" : `the stack ${stackOf(hindrance.owner) ?? hindrance.owner}`;
    return errorText(waitingJobs.deletion_waits_for_git_client, { stack });
  },
  late: jobErrors.deletion_late,
  async run({ id, client_id: clientId }, means, run) {
    const erasure = clientId === null ? undefined : await findErasure(run.db, { clientId });
    if (erasure !== undefined) await eraseAndCheck(erasure, means, run);
    switch (await deleteClient(run.db, id)) {
      case "deleted":
      case "gone":
        return;
      case "had_back":
        throw new JobOvertaken(overtakenJobs.deletion_undone);
      case "has_instance":
      case "managed_by_git":
        throw new TaskError(waitingJobs.deletion_waits_for_removal);
    }
  },
};

/**
 * Requests the removal of the instance, at the earliest a day after a failure.
 * @param discardState whether no last backup is made
 * @returns what the deletion waits for
 */
async function removeClient(client: OperatedClient, { db }: Run, discardState: boolean): Promise<string> {
  const failed = await failedRemoval(db, client);
  if (failed !== undefined) return errorText(waitingJobs.deletion_waits_for_retry, { cause: failed });
  const job = await db
    .transaction()
    .execute((tx) => beginRemoval(tx, client, { requestedBy: "service", discardState }));
  return errorText(
    job === undefined ? waitingJobs.deletion_waits_for_git_instance : waitingJobs.deletion_waits_for_removal,
  );
}
