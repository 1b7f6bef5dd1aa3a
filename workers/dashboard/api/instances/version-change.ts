/** Another image or another Worker for one instance, asked for here and deployed by a job. */
import type { Kysely } from "kysely";
import type { ListedClient } from "#database/tenants/clients.ts";
import type { KnownInstance } from "#database/tenants/instances.ts";
import type { DB } from "#database/types.ts";
import { type OfferedImage, offeredImages } from "#database/versions/images.ts";
import { findNewerInstances, findPin, type InstanceVersion, instanceVersion } from "#database/versions/versions.ts";
import type { Environment } from "#domain/environment.ts";
import { instanceErrors } from "#domain/errors/api/instances.ts";
import { versionErrors } from "#domain/errors/api/versions.ts";
import { interruptibleFrom } from "#domain/rollouts/maintenance-window.ts";
import type { Version } from "#domain/rollouts/version.ts";
import { Failure, failure } from "../../http/failure.tsx";
import type { Caller } from "../../identity/caller.ts";
import { offeredBundle } from "../images/handlers.ts";
import { isForGatewayOf, pinRefusal, windowOf } from "./offered-versions.ts";
import { requestInstanceJob, requireDeployed, requireNoOpenJob } from "./operations.ts";

/** Deadline in hours after the start. */
const HOURS = 3;

export interface VersionChange {
  /** Null: the platform's. Undefined: as it is. */
  imageId: string | null | undefined;
  /** Null: the automation service's own. Undefined: as it is. */
  bundleId: string | null | undefined;
  /** Restored where the present state is too new for the image. */
  backup: string | undefined;
  /** Default: at once. */
  notBefore?: Date | undefined;
}

/** An offered image, and what the tenant runs. */
export interface OfferedChange {
  image: OfferedImage;
  runs: InstanceVersion;
}

/** @param o.offered if known @returns the job's id. @throws Failure `conflict` for what is not offered, not deployed, under way, or too old for the tenant's state */
export async function changeVersion(
  db: Kysely<DB>,
  environment: Environment,
  instance: KnownInstance,
  { change, caller, offered }: { change: VersionChange; caller: Caller; offered?: OfferedChange | undefined },
): Promise<string> {
  const { id, client } = instance;
  requireDeployed(instance);
  await requireNoOpenJob(db, environment, instance, "adopt_version", caller);
  const now = offered?.runs ?? (await instanceVersion(db, id));
  const from: Version = { imageId: now?.image?.id ?? null, bundleId: now?.worker?.id ?? null };
  const to: Version = {
    imageId: orCurrent(change.imageId, from.imageId),
    bundleId: orCurrent(change.bundleId, from.bundleId),
  };
  if (to.bundleId !== null && to.bundleId !== from.bundleId) await offeredBundle(db, environment, to.bundleId);
  if (to.imageId !== null && to.imageId !== from.imageId) {
    const image = offered?.image ?? (await offeredImages(db, id)).find((one) => one.id === to.imageId);
    if (image === undefined) throw failure(versionErrors.image_not_offered);
    const isNewer = (await findNewerInstances(db, [id], image)).length > 0;
    if (isNewer && change.backup === undefined) {
      const values = { slug: client.slug, version: image.gateway_version, id };
      throw failure(instanceErrors.state_newer_than_image, values);
    }
  }
  const { notBefore } = change;
  const payload = { to, from, backup: change.backup ?? null, ...(notBefore !== undefined && { planned: true }) };
  return requestInstanceJob(db, instance, caller, {
    kind: "adopt_version",
    payload,
    hours: HOURS,
    notBefore,
  });
}

/**
 * Checks what an ADMIN requests: an image that the platform offers for the tenant's gateway, and no Worker.
 *
 * @throws Failure `forbidden` for other changes, or if an operator pinned the version; `conflict` for an image that is not offered
 */
export async function requireOfferedChange(
  db: Kysely<DB>,
  { id, client }: KnownInstance,
  { imageId, bundleId }: Pick<VersionChange, "imageId" | "bundleId">,
): Promise<OfferedChange> {
  if (bundleId !== undefined || imageId === undefined || imageId === null) {
    throw failure(versionErrors.version_choice_requires_root, { id });
  }
  const pinned = pinRefusal(await findPin(db, id), client);
  if (pinned !== undefined) throw new Failure(pinned);
  const image = (await offeredImages(db, id)).find((one) => one.id === imageId);
  const runs = await instanceVersion(db, id);
  if (image === undefined || runs === undefined || !isForGatewayOf(runs, image))
    throw failure(versionErrors.version_not_offered, { id });
  return { image, runs };
}

/** Returns when a change in the maintenance window starts. @throws Failure `conflict` without a window */
export function startInWindow(client: ListedClient): Date {
  const window = windowOf(client);
  if (window === undefined) throw failure(instanceErrors.maintenance_window_missing, { slug: client.slug });
  return interruptibleFrom(window, new Date());
}

const orCurrent = (wanted: string | null | undefined, now: string | null) => (wanted === undefined ? now : wanted);
