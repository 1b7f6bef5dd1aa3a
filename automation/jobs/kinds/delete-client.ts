/** Deletes a client after its grace period. Removes an instance of the dashboard first. */
import { deleteClient, findDeletionBlocker } from "#database/tenants/deletion.ts";
import type { OperatedClient } from "#database/tenants/operation.ts";
import { beginRemoval, failedRemoval } from "#database/tenants/removal.ts";
import { stackOf } from "#domain/tenants/owner.ts";
import { type Run, TaskError } from "../../task.ts";
import type { JobKind } from "../kind.ts";
import { JobOvertaken } from "../refusals.ts";

const REMOVES = "The client's instance is being removed first. The client is deleted within a minute after that.";
const GITS =
  "The client's instance is declared in Git. Run `pulumi destroy` of its stack, or delete the tenant from the file. The client is deleted within a minute after that.";

export const deleteClientKind: JobKind = {
  name: "delete_client",
  async waitsFor({ client_id, slug }, run, { environment }) {
    const hindrance = client_id === null ? undefined : await findDeletionBlocker(run.db, client_id);
    if (client_id === null || hindrance === undefined) return undefined;
    if (hindrance.what === "instance") return removeClient({ clientId: client_id, slug, environment }, run);
    const stack = hindrance.owner === null ? "its stack" : `the stack ${stackOf(hindrance.owner) ?? hindrance.owner}`;
    return `The client is declared by ${stack}. Delete it from the file; the next \`pulumi up\` deletes it.`;
  },
  late: "The client's instance still exists. Check why its removal failed. The deletion is requested again.",
  async run({ id }, _means, { db }) {
    switch (await deleteClient(db, id)) {
      case "deleted":
      case "gone":
        return;
      case "had_back":
        throw new JobOvertaken("The client was restored.");
      case "has_instance":
      case "managed_by_git":
        throw new TaskError(REMOVES);
    }
  },
};

/** Requests the removal of the instance, at the earliest a day after a failure. @returns what the deletion waits for */
async function removeClient(client: OperatedClient, { db }: Run): Promise<string> {
  const failed = await failedRemoval(db, client);
  if (failed !== undefined)
    return `The removal of the client's instance failed. It is retried a day later. Cause: ${failed}`;
  const job = await db.transaction().execute((tx) => beginRemoval(tx, client, { requestedBy: "service" }));
  return job === undefined ? GITS : REMOVES;
}
