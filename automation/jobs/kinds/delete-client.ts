/** Deletes a client whose date has come, after its instance, which is removed first where the dashboard has it. */
import { deleteClient, deletionHindrance } from "#database/tenants/deletion.ts";
import type { OperatedClient } from "#database/tenants/operation.ts";
import { beginRemoval, failedRemoval } from "#database/tenants/removal.ts";
import { stackOf } from "#domain/tenants/owner.ts";
import { type Run, TaskError } from "../../task.ts";
import type { JobKind } from "../kind.ts";
import { JobOvertaken } from "../refusals.ts";

const REMOVES = "The client's instance is being removed first; the client goes within a minute after.";
const GITS =
  "The client's instance is declared in Git: run `pulumi destroy` of its stack, or take the tenant out of it. The client goes within a minute after.";

export const deleteClientKind: JobKind = {
  name: "delete_client",
  async waitsFor({ client_id, slug }, run, { environment }) {
    const hindrance = client_id === null ? undefined : await deletionHindrance(run.db, client_id);
    if (client_id === null || hindrance === undefined) return undefined;
    if (hindrance.what === "instance") return remove({ clientId: client_id, slug, environment }, run);
    const stack = hindrance.owner === null ? "its stack" : `the stack ${stackOf(hindrance.owner) ?? hindrance.owner}`;
    return `The client is declared by ${stack}: take it out there, and it goes with the next \`pulumi up\`.`;
  },
  late: `The client's instance is there still: look at why its removal failed. The deletion is asked for again.`,
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

/** Has the instance removed, a day after that failed at the earliest. @returns what is waited for */
async function remove(client: OperatedClient, { db }: Run): Promise<string> {
  const failed = await failedRemoval(db, client);
  if (failed !== undefined)
    return `The removal of the client's instance failed, and is tried again a day after: ${failed}`;
  const job = await db.transaction().execute((tx) => beginRemoval(tx, client, { requestedBy: "service" }));
  return job === undefined ? GITS : REMOVES;
}
