import { queryOptions } from "@tanstack/react-query";
import { instanceDataRoutes } from "#workers/contracts/api/instances/instance-data.ts";
import { type Answer, callApi } from "#workers/dashboard/ui/api/ask.ts";

export type Entry = Answer<typeof instanceDataRoutes.listFiles>["data"][number];
export type TextFile = Answer<typeof instanceDataRoutes.readFile>;

/** A tag of its own: reading files calls the tenant, so that no event triggers it. */
export const FILES_TAG = "files";

export const directoryOf = (instanceId: string, path: string) =>
  queryOptions({
    queryKey: [FILES_TAG, "list", instanceId, path],
    queryFn: ({ signal }) =>
      callApi(instanceDataRoutes.listFiles, { params: { instance_id: instanceId }, query: { path } }, { signal }),
    retry: false,
  });

export const readText = (instanceId: string, path: string, signal?: AbortSignal): Promise<TextFile> =>
  callApi(instanceDataRoutes.readFile, { params: { instance_id: instanceId }, query: { path } }, { signal });

export const fileOf = (instanceId: string, path: string) =>
  queryOptions({
    queryKey: [FILES_TAG, "text", instanceId, path],
    queryFn: ({ signal }) => readText(instanceId, path, signal),
    retry: false,
    gcTime: 0,
  });
