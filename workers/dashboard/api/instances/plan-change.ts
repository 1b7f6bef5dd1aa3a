/** Another plan for an instance's Worker, which is its client's plan: the row at once, the Worker by a job. */

import type { Kysely } from "kysely";
import { updateClient } from "#database/tenants/client-changes.ts";
import type { KnownInstance } from "#database/tenants/instances.ts";
import type { DB } from "#database/types.ts";
import { openJob } from "#database/work/job-list.ts";
import { requestJob } from "#database/work/job-request.ts";
import type { Environment } from "#domain/environment.ts";
import type { Plan } from "#domain/plans/plan.ts";
import { Failure } from "../../http/failure.tsx";
import type { Caller } from "../../identity/caller.ts";

/**
 * Changes it; that plan already changes nothing.
 *
 * @returns the job's id; `undefined` where nothing is to be changed
 * @throws Failure `conflict` while another change waits
 */
export async function changePlan(
  db: Kysely<DB>,
  environment: Environment,
  { id, generation, client, billing_plan: from }: KnownInstance,
  { to, caller }: { to: Plan; caller: Caller },
): Promise<string | undefined> {
  if (from === to) return undefined;
  if ((await openJob(db, environment, id, "change_plan")) !== undefined) {
    throw new Failure("conflict", "A change of the plan is under way; wait for its end, or cancel it.");
  }
  await updateClient(db, client.id, { billingPlan: to });
  return requestJob(db, {
    kind: "change_plan",
    clientId: client.id,
    instanceId: id,
    slug: client.slug,
    generation,
    requestedBy: caller.email,
    payload: { from, to },
  });
}
