import { compareGatewayVersions } from "#domain/rollouts/gateway-version.ts";
import type { Instance, Runs } from "#workers/contracts/api/instances/instances.ts";
import type { Image } from "#workers/contracts/api/tenants/images.ts";
import type { Backup } from "../backups/backups.ts";

/** Ids; undefined keeps the current version, whatever it is when the change runs. */
export interface VersionDraft {
  /** Empty for the platform's default. */
  image?: string | undefined;
  /** Empty for the automation service's default. */
  worker?: string | undefined;
  /** Backup to restore when the image cannot read the current state. */
  backup?: string | undefined;
}

export const currentIds = ({ image, worker }: Runs) => ({ image: image?.id ?? "", worker: worker?.id ?? "" });

/** Whether an image is older than the current state, which it could not read. */
export function isTooOld(image: Image | undefined, { reported }: Runs): boolean {
  if (image === undefined || reported?.gateway !== image.gateway || reported.gateway_version === null) return false;
  return compareGatewayVersions(reported.gateway_version, image.gateway_version) > 0;
}

export const readableBackups = (
  backups: readonly Backup[],
  image: Pick<Image, "gateway" | "gateway_version">,
): Backup[] =>
  backups.filter(
    ({ gateway }) =>
      gateway !== null &&
      gateway.name === image.gateway &&
      compareGatewayVersions(gateway.version, image.gateway_version) <= 0,
  );

/** Returns the request body; undefined if nothing changes or a backup must still be selected. */
export function versionBody({ image, worker, backup }: VersionDraft, instance: Instance, tooOld: boolean) {
  const now = currentIds(instance.runs);
  if (tooOld && backup === undefined) return undefined;
  const body = {
    ...(image !== undefined && image !== now.image && { image_id: image === "" ? null : image }),
    ...(worker !== undefined && worker !== now.worker && { worker_bundle_id: worker === "" ? null : worker }),
  };
  if (Object.keys(body).length === 0) return undefined;
  return tooOld ? { ...body, backup_id: backup } : body;
}
