/** A chosen backup in place of an instance's state, asked for here and carried out by a job. Whoever declares it: data change, and nothing declared. */

import type { Kysely } from "kysely";
import type { KnownInstance } from "#database/tenants/instances.ts";
import type { DB } from "#database/types.ts";
import { openJob } from "#database/work/job-list.ts";
import { requestJob } from "#database/work/job-request.ts";
import type { Environment } from "#domain/environment.ts";
import { Failure } from "../../http/failure.tsx";
import type { Caller } from "../../identity/caller.ts";

/** @returns the job's id. @throws Failure `conflict` for one that does not run, or while a restore is under way */
export async function askForRestore(
  db: Kysely<DB>,
  environment: Environment,
  { id, status, client, generation }: KnownInstance,
  wanted: { backup_id: string; discard_present: boolean; caller: Caller },
): Promise<string> {
  const { backup_id, discard_present, caller } = wanted;
  if (status !== "running") {
    throw new Failure("conflict", `The instance of ${client.slug} is ${status}: a running one alone can be restored.`);
  }
  if ((await openJob(db, environment, id, "restore_backup")) !== undefined) {
    throw new Failure("conflict", "A restore is under way; wait for its end, or cancel it.");
  }
  return requestJob(db, {
    kind: "restore_backup",
    clientId: client.id,
    instanceId: id,
    slug: client.slug,
    generation,
    requestedBy: caller.email,
    payload: { backup_id, discard_present },
  });
}
