/** Another token of an instance's gateway, asked for here and deployed by a job. */

import type { Kysely } from "kysely";
import { type KnownInstance, tokenVersionOf } from "#database/tenants/instances.ts";
import type { DB } from "#database/types.ts";
import { openJob } from "#database/work/job-list.ts";
import { requestJob } from "#database/work/job-request.ts";
import type { Environment } from "#domain/environment.ts";
import { Failure } from "../../http/failure.tsx";
import type { Caller } from "../../identity/caller.ts";

/** @returns the job's id. @throws Failure `conflict` for one that is not deployed, or is under way */
export async function rotateToken(
  db: Kysely<DB>,
  environment: Environment,
  { id, status, client, generation }: KnownInstance,
  { email }: Caller,
): Promise<string> {
  if (status !== "running" && status !== "frozen") {
    throw new Failure("conflict", `The instance of ${client.slug} is ${status}: its next deployment comes first.`);
  }
  if ((await openJob(db, environment, id, "rotate_token")) !== undefined) {
    throw new Failure("conflict", "A rotation of the token is under way; wait for its end, or cancel it.");
  }
  const version = (await tokenVersionOf(db, id)) + 1;
  return requestJob(db, {
    kind: "rotate_token",
    clientId: client.id,
    instanceId: id,
    slug: client.slug,
    generation,
    requestedBy: email,
    payload: { version },
  });
}
