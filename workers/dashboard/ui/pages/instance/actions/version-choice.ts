/** Another image or Worker for an instance: what is chosen, and what it needs. */
import { compareGatewayVersions } from "#domain/rollouts/gateway-version.ts";
import type { Image } from "#workers/contracts/api/tenants/images.ts";
import type { Instance, Runs } from "#workers/contracts/api/tenants/instances.ts";
import type { Backup } from "../backups/backups.ts";

/** What was chosen, by ids; undefined for what stays as it is, whatever that is by then. */
export interface VersionDraft {
  /** Empty for the platform's own. */
  image?: string | undefined;
  /** Empty for the automation service's own. */
  worker?: string | undefined;
  /** Backup to go back to, where the present state is too new for the image. */
  backup?: string | undefined;
}

export const asItRuns = ({ image, worker }: Runs) => ({ image: image?.id ?? "", worker: worker?.id ?? "" });

/** Whether an image would not understand the present state, as an older gateway's. */
export function isTooOld(image: Image | undefined, { reported }: Runs): boolean {
  if (image === undefined || reported?.gateway !== image.gateway || reported.gateway_version === null) return false;
  return compareGatewayVersions(reported.gateway_version, image.gateway_version) > 0;
}

/** Backups whose state an image understands. */
export const understood = (backups: readonly Backup[], image: Image): Backup[] =>
  backups.filter(
    ({ gateway }) =>
      gateway !== null &&
      gateway.name === image.gateway &&
      compareGatewayVersions(gateway.version, image.gateway_version) <= 0,
  );

/** What the API is told. @returns undefined where nothing is changed, or a backup is still to be chosen */
export function versionBody({ image, worker, backup }: VersionDraft, instance: Instance, tooOld: boolean) {
  const now = asItRuns(instance.runs);
  if (tooOld && backup === undefined) return undefined;
  const body = {
    ...(image !== undefined && image !== now.image && { image_id: image === "" ? null : image }),
    ...(worker !== undefined && worker !== now.worker && { worker_bundle_id: worker === "" ? null : worker }),
  };
  if (Object.keys(body).length === 0) return undefined;
  return tooOld ? { ...body, backup_id: backup } : body;
}
