import { useQuery } from "@tanstack/react-query";
import { imageRoutes } from "#workers/contracts/api/tenants/images.ts";
import type { Rollout } from "#workers/contracts/api/tenants/rollouts.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { bundleName, imageName } from "../versions/version-names.ts";

export function useRolloutName({ image_id, worker_bundle_id }: Pick<Rollout, "image_id" | "worker_bundle_id">): string {
  const images = useQuery({ ...apiQuery(imageRoutes.listImages, {}), enabled: image_id !== null });
  const bundles = useQuery({ ...apiQuery(imageRoutes.listWorkerBundles, {}), enabled: worker_bundle_id !== null });
  const image = images.data?.data.find(({ id }) => id === image_id);
  const bundle = bundles.data?.data.find(({ id }) => id === worker_bundle_id);
  const named = [
    image_id === null ? undefined : image === undefined ? "an image" : imageName(image),
    worker_bundle_id === null ? undefined : bundle === undefined ? "a Worker" : `Worker ${bundleName(bundle)}`,
  ];
  return named.filter((name) => name !== undefined).join(" and ");
}

export const RolloutName = ({ rollout }: { rollout: Rollout }) => useRolloutName(rollout);
