/** An instance as the API shows it. */
import type { KnownInstance } from "#database/tenants/instances.ts";
import type { InstanceVersion } from "#database/versions/versions.ts";
import type { ListedJob } from "#database/work/job-list.ts";
import type { Instance, Runs } from "#workers/contracts/api/tenants/instances.ts";
import { jobBody } from "../jobs/body.ts";

/** @param job the newest one that has not ended */
export function instanceBody(
  instance: KnownInstance,
  job: ListedJob | undefined,
  runs: InstanceVersion | undefined,
): Instance {
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
    runs: runsBody(runs),
    job: job === undefined ? null : jobBody(job),
    created_at: instance.createdAt.toISOString(),
    updated_at: instance.updatedAt.toISOString(),
    version: instance.version,
  };
}

function runsBody(version: InstanceVersion | undefined): Runs {
  const { image = null, bundle = null, isPinned = false, reported = null, planned = null } = version ?? {};
  return {
    image: image && {
      id: image.id,
      reference: image.reference,
      gateway: image.gateway,
      gateway_version: image.gatewayVersion,
    },
    worker: bundle && { id: bundle.id, content_hash: bundle.contentHash, release: bundle.release },
    pinned: isPinned,
    reported: reported && {
      gateway: reported.gateway,
      gateway_version: reported.gatewayVersion,
      worker: reported.bundle,
      at: reported.at.toISOString(),
    },
    as_wanted: isAsWanted({ image, bundle, reported }),
    maintenance: planned && { rollout_id: planned.rolloutId, from: planned.notBefore.toISOString() },
  };
}

function isAsWanted({
  image,
  bundle,
  reported,
}: Pick<InstanceVersion, "image" | "bundle" | "reported">): boolean | null {
  const known: boolean[] = [];
  if (image !== null && reported?.gatewayVersion != null) {
    known.push(image.gateway === reported.gateway && image.gatewayVersion === reported.gatewayVersion);
  }
  if (bundle !== null && reported?.bundle != null) known.push(bundle.contentHash === reported.bundle);
  return known.length === 0 ? null : known.every(Boolean);
}
