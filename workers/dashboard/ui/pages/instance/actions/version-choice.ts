/** Another image or Worker for an instance: what is chosen, and what it needs. */
import { compareGatewayVersions } from "../../../../../../domain/rollouts/gateway-version.ts";
import type { Image } from "../../../../../contracts/api/images.ts";
import type { Instance, Runs } from "../../../../../contracts/api/instances.ts";
import type { Backup } from "../backups/backups.ts";

/** Ids; empty for the platform's own. */
export interface VersionDraft {
  image: string;
  worker: string;
  /** Backup to go back to, where the present state is too new for the image; empty for none. */
  backup: string;
}

export const asItRuns = ({ image, worker }: Runs): VersionDraft => ({
  image: image?.id ?? "",
  worker: worker?.id ?? "",
  backup: "",
});

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
  if (tooOld && backup === "") return undefined;
  const body = {
    ...(image !== now.image && { image_id: image === "" ? null : image }),
    ...(worker !== now.worker && { worker_bundle_id: worker === "" ? null : worker }),
  };
  if (Object.keys(body).length === 0) return undefined;
  return tooOld ? { ...body, backup_id: backup } : body;
}
