/** An instance as the API shows it. */
import type { KnownInstance } from "../../../../database/tenants/instances.ts";
import type { ListedJob } from "../../../../database/work/job-list.ts";
import type { Instance } from "../../../contracts/api/instances.ts";
import { jobBody } from "../jobs/body.ts";

/** @param job the newest one that has not ended */
export function instanceBody(instance: KnownInstance, job: ListedJob | undefined): Instance {
  const { id, environment, status, cause, deadline, generation, managedBy, workerName, gateway, client } = instance;
  return {
    id,
    client: { id: client.id, slug: client.slug, name: client.name },
    environment,
    status,
    state_cause: cause,
    state_deadline: deadline?.toISOString() ?? null,
    generation,
    managed_by: managedBy,
    billing_plan: client.plan,
    worker_name: workerName,
    ai_gateway: gateway && { id: gateway.id, pool_id: gateway.poolId },
    job: job === undefined ? null : jobBody(job),
    created_at: instance.createdAt.toISOString(),
    updated_at: instance.updatedAt.toISOString(),
    version: instance.version,
  };
}
