/** An instance as the API shows it. */
import type { KnownInstance } from "#database/tenants/instances.ts";
import type { InstanceVersion } from "#database/versions/versions.ts";
import type { ListedJob } from "#database/work/job-list.ts";
import { bodyOf } from "#domain/entities/entity.ts";
import { instance } from "#domain/entities/instance.ts";
import type { Instance } from "#workers/contracts/api/instances/instances.ts";
import { withPayload } from "../jobs/body.ts";

const NO_VERSION: InstanceVersion = { image: null, worker: null, pinned: false, reported: null, maintenance: null };

/** @param job the newest one that has not ended */
export function instanceBody(
  row: KnownInstance,
  job: ListedJob | undefined,
  version: InstanceVersion = NO_VERSION,
): Instance {
  const runs = { ...version, as_wanted: runsAsWanted(version) };
  return bodyOf(instance, { ...row, runs, job: job === undefined ? null : withPayload(job) });
}

function runsAsWanted({ image, worker, reported }: InstanceVersion): boolean | null {
  const known: boolean[] = [];
  if (image !== null && reported?.gateway_version != null) {
    known.push(image.gateway === reported.gateway && image.gateway_version === reported.gateway_version);
  }
  if (worker !== null && reported?.worker != null) known.push(worker.content_hash === reported.worker);
  return known.length === 0 ? null : known.every(Boolean);
}
