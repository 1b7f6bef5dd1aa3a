/** Another image or another Worker for one instance, asked for here and deployed by a job. */
import type { Kysely } from "kysely";
import type { KnownInstance } from "#database/tenants/instances.ts";
import type { DB } from "#database/types.ts";
import { findNewerInstances, instanceVersion } from "#database/versions/versions.ts";
import type { Environment } from "#domain/environment.ts";
import { instanceErrors } from "#domain/errors/api/instances.ts";
import type { Version } from "#domain/rollouts/version.ts";
import { failure } from "../../http/failure.tsx";
import type { Caller } from "../../identity/caller.ts";
import { offeredBundle, offeredImage } from "../images/handlers.ts";
import { requestInstanceJob, requireDeployed, requireNoOpenJob } from "./operations.ts";

export interface VersionChange {
  /** Null: the platform's. Undefined: as it is. */
  imageId: string | null | undefined;
  /** Null: the automation service's own. Undefined: as it is. */
  bundleId: string | null | undefined;
  /** Restored where the present state is too new for the image. */
  backup: string | undefined;
}

/** @returns the job's id. @throws Failure `conflict` for what is not offered, not deployed, under way, or too old for the tenant's state */
export async function changeVersion(
  db: Kysely<DB>,
  environment: Environment,
  instance: KnownInstance,
  { change, caller }: { change: VersionChange; caller: Caller },
): Promise<string> {
  const { id, client } = instance;
  requireDeployed(instance);
  await requireNoOpenJob(db, environment, instance, "adopt_version", caller);
  const now = await instanceVersion(db, id);
  const from: Version = { imageId: now?.image?.id ?? null, bundleId: now?.worker?.id ?? null };
  const to: Version = {
    imageId: orCurrent(change.imageId, from.imageId),
    bundleId: orCurrent(change.bundleId, from.bundleId),
  };
  if (to.bundleId !== null && to.bundleId !== from.bundleId) await offeredBundle(db, environment, to.bundleId);
  if (to.imageId !== null && to.imageId !== from.imageId) {
    const image = await offeredImage(db, environment, to.imageId);
    const isNewer = (await findNewerInstances(db, [id], image)).length > 0;
    if (isNewer && change.backup === undefined) {
      const values = { slug: client.slug, version: image.gateway_version, id };
      throw failure(instanceErrors.state_newer_than_image, values);
    }
  }
  const payload = { to, from, backup: change.backup ?? null };
  return requestInstanceJob(db, instance, caller, { kind: "adopt_version", payload, hours: 3 });
}

const orCurrent = (wanted: string | null | undefined, now: string | null) => (wanted === undefined ? now : wanted);
