/** Deletes a client whose date has come. Its instance is not the service's to remove: the job waits until that is gone. */
import { deleteClient, deletionHindrance } from "../../../database/tenants/deletion.ts";
import { stackOf } from "../../../domain/owner.ts";
import { TaskError } from "../../task.ts";
import { type JobKind, JobOvertaken } from "../kind.ts";

const WAITS =
  "The client has an instance still, which is to be removed first: run `pulumi destroy` of the tenant's stack, or take the tenant out of it. The client goes within a minute after.";

export const deleteClientKind: JobKind = {
  name: "delete_client",
  async waitsFor({ client_id }, { db }) {
    const hindrance = client_id === null ? undefined : await deletionHindrance(db, client_id);
    if (hindrance?.what !== "git") return hindrance && WAITS;
    const stack = hindrance.owner === null ? "its stack" : `the stack ${stackOf(hindrance.owner) ?? hindrance.owner}`;
    return `The client is declared by ${stack}: take it out there, and it goes with the next \`pulumi up\`.`;
  },
  late: `${WAITS} It is asked for again.`,
  async run({ id }, _means, { db }) {
    switch (await deleteClient(db, id)) {
      case "deleted":
      case "gone":
        return;
      case "had_back":
        throw new JobOvertaken("The client was had back.");
      case "has_instance":
      case "managed_by_git":
        throw new TaskError(WAITS);
    }
  },
};
