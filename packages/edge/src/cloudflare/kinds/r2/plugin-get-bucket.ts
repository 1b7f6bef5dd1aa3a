import { type Properties, UserError } from "@tenantry/plugin-host";
import type { Api } from "../../plugin/api.ts";
import { fromRecord } from "../../plugin/casing.ts";

export async function getBucket(api: Api, args: Properties): Promise<Properties> {
  const { accountId, bucketName } = args;
  if (accountId === undefined || bucketName === undefined) {
    throw new UserError("getR2Bucket needs an accountId and a bucketName.");
  }
  const path = `/accounts/${encodeURIComponent(String(accountId))}/r2/buckets/${encodeURIComponent(String(bucketName))}`;
  const bucket = await api.get(path);
  if (bucket === undefined) throw new UserError("The specified bucket does not exist (404, code 10006).");
  return { ...args, ...fromRecord(bucket, {}), id: bucketName };
}
