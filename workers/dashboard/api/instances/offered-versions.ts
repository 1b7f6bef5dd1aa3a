/** The versions that a tenant can get, for its users. */
import type { Kysely } from "kysely";
import * as z from "zod";
import type { ListedClient } from "#database/tenants/clients.ts";
import type { KnownInstance } from "#database/tenants/instances.ts";
import type { DB } from "#database/types.ts";
import { findImage, type OfferedImage, offeredImages } from "#database/versions/images.ts";
import { findPin, type InstanceVersion, instanceVersion, type KnownPin } from "#database/versions/versions.ts";
import { openJob } from "#database/work/job-list.ts";
import type { Environment } from "#domain/environment.ts";
import { instanceErrors } from "#domain/errors/api/instances.ts";
import { type StatedError, stateError } from "#domain/errors/stated.ts";
import { compareGatewayVersions } from "#domain/rollouts/gateway-version.ts";
import { type MaintenanceWindow, openingAt } from "#domain/rollouts/maintenance-window.ts";
import { fieldsOfBody } from "#domain/settings/client.ts";
import type { InstanceVersions, OfferedVersion } from "#workers/contracts/api/instances/instance-versions.ts";
import { jobBody } from "../jobs/body.ts";
import { ownChangeRefusal } from "./own-changes.ts";

/** The payload of a job that changes the version. */
const adoption = z.object({ to: z.object({ imageId: z.uuid().nullable() }) });

/** Undefined: changes that are not urgent happen at any time. */
export const windowOf = ({ maintenance_window }: ListedClient): MaintenanceWindow | undefined =>
  fieldsOfBody({ maintenance_window }).maintenanceWindow ?? undefined;

/** Whether an image is for the gateway that a tenant has. */
export const isForGatewayOf = (
  { image, reported }: InstanceVersion,
  { gateway }: Pick<OfferedImage, "gateway">,
): boolean => gateway === (reported?.gateway ?? image?.gateway ?? gateway);

export async function offeredVersions(
  db: Kysely<DB>,
  environment: Environment,
  { client, instance }: { client: ListedClient; instance: KnownInstance },
): Promise<InstanceVersions> {
  const [known, images, job, pin] = await Promise.all([
    instanceVersion(db, instance.id),
    offeredImages(db, instance.id),
    openJob(db, environment, instance.id, "adopt_version"),
    findPin(db, instance.id),
  ]);
  const runs = known ?? { image: null, worker: null, pinned: false, reported: null, maintenance: null };
  const { image, reported } = runs;
  const gateway = reported?.gateway ?? image?.gateway ?? null;
  const gateway_version = reported?.gateway_version ?? image?.gateway_version ?? null;
  const running =
    gateway === null || gateway_version === null || reported === null
      ? null
      : { gateway, gateway_version, since: reported.at.toISOString() };
  const offered = images
    .filter((one) => isForGatewayOf(runs, one))
    .map((one) => offeredVersion(one, image?.id, gateway_version));
  const ages = offered.filter(({ age }) => age === "newer");
  const newest = ages.toSorted((a, b) => compareGatewayVersions(b.gateway_version, a.gateway_version))[0];
  const window = windowOf(client);
  // It may be withdrawn.
  const present = image === null ? undefined : await findImage(db, environment, image.id);
  return {
    running,
    release_notes: present?.release_notes ?? null,
    pin: pin === undefined ? null : { ...pin, at: pin.at?.toISOString() ?? null },
    canary: client.canary,
    newer_id: newest?.id ?? null,
    offered,
    window: window === undefined ? null : openingText(window),
    rollout_from: runs.maintenance?.from.toISOString() ?? null,
    change:
      job === undefined
        ? null
        : { ...jobBody(job), image_id: adoption.safeParse(job.payload).data?.to.imageId ?? null },
    refusal: (ownChangeRefusal({ client, instance }) ?? pinRefusal(pin, client))?.message ?? null,
    version: instance.version,
  };
}

/** An operator's pin also holds for the tenant's ADMINs. */
export const pinRefusal = (pin: KnownPin | undefined, { slug }: Pick<ListedClient, "slug">): StatedError | undefined =>
  pin?.of_operator ? stateError(instanceErrors.instance_pinned_by_operator, { slug }) : undefined;

function openingText(window: MaintenanceWindow) {
  const { from, until } = openingAt(window, new Date());
  return { from: from.toISOString(), until: until.toISOString() };
}

function offeredVersion(
  one: OfferedImage,
  currentId: string | undefined,
  runningVersion: string | null,
): OfferedVersion {
  const { id, gateway, gateway_version, release_notes, default: isDefault, created_at } = one;
  const age = id === currentId ? "current" : ageOf(gateway_version, runningVersion);
  return { id, gateway, gateway_version, release_notes, age, default: isDefault, added_at: created_at.toISOString() };
}

function ageOf(version: string, running: string | null): OfferedVersion["age"] {
  if (running === null) return "other";
  const order = compareGatewayVersions(version, running);
  return order === 0 ? "current" : order > 0 ? "newer" : "older";
}
