/** A separate tag: listing backups calls the tenant, so that not every event triggers it. */
import { queryOptions } from "@tanstack/react-query";
import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { type Answer, callApi } from "#workers/dashboard/ui/api/ask.ts";

export type Backup = Answer<typeof instanceRoutes.listBackups>["data"][number];

export const BACKUPS_TAG = "backups";

export const backupsOf = (instanceId: string) =>
  queryOptions({
    queryKey: [BACKUPS_TAG, instanceId],
    queryFn: ({ signal }) => callApi(instanceRoutes.listBackups, { params: { instance_id: instanceId } }, { signal }),
  });
