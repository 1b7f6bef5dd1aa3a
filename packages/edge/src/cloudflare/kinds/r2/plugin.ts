import { type Properties, UserError } from "@tenantry/plugin-host";
import type { Api } from "../../plugin/api.ts";
import { fromRecord } from "../../plugin/casing.ts";
import type { PluginPart } from "../../plugin/part.ts";

const lifecyclePath = "/accounts/{accountId}/r2/buckets/{bucketName}/lifecycle";

async function getBucket(api: Api, args: Properties): Promise<Properties> {
  const { accountId, bucketName } = args;
  if (accountId === undefined || bucketName === undefined) {
    throw new UserError("getR2Bucket needs an accountId and a bucketName.");
  }
  const path = `/accounts/${encodeURIComponent(String(accountId))}/r2/buckets/${encodeURIComponent(String(bucketName))}`;
  const bucket = await api.get(path);
  if (bucket === undefined) throw new UserError("The specified bucket does not exist (404, code 10006).");
  return { ...args, ...fromRecord(bucket, {}), id: bucketName };
}

export const plugin: PluginPart = {
  resources: [
    {
      type: "cloudflare:index/r2Bucket:R2Bucket",
      collection: "/accounts/{accountId}/r2/buckets",
      required: ["accountId", "name"],
      optional: ["jurisdiction", "location", "storageClass"],
      replaceOn: ["accountId", "name"],
      removes: "The bucket. The API refuses one that holds objects.",
      // Cloudflare's provider keeps the location of the state.
      ignore: ["location"],
      namedBy: "name",
      update: "patch",
      importId: "{accountId}",
      // R2 takes bodies in camelCase but responds in snake_case; the class changes by a header.
      body: (_body, { name, location, storageClass }) => ({ name, locationHint: location, storageClass }),
      headers: ({ jurisdiction, storageClass }) => ({
        ...(jurisdiction === undefined ? {} : { "cf-r2-jurisdiction": String(jurisdiction) }),
        "cf-r2-storage-class": String(storageClass ?? "Standard"),
      }),
    },
    {
      type: "cloudflare:index/r2BucketLifecycle:R2BucketLifecycle",
      collection: lifecyclePath,
      item: lifecyclePath,
      required: ["accountId", "bucketName"],
      optional: ["jurisdiction", "rules"],
      replaceOn: ["accountId", "bucketName"],
      removes: "Nothing: the bucket keeps its rules until other rules are written.",
      namedBy: "bucketName",
      create: "put",
      unsent: ["jurisdiction"],
      outputs: { jurisdiction: "default" },
      importId: "{accountId}",
      // The API takes rules in camelCase.
      body: (_body, { rules }) => ({ rules: rules ?? [] }),
      // Cloudflare's provider deletes nothing.
      remove: async () => {},
    },
  ],
  functions: { "cloudflare:index/getR2Bucket:getR2Bucket": getBucket },
};
