import { apiResource } from "../../plugin/api-resource.ts";

const path = "/accounts/{accountId}/r2/buckets/{bucketName}/lifecycle";

export const r2BucketLifecycle = apiResource({
  type: "cloudflare:index/r2BucketLifecycle:R2BucketLifecycle",
  collection: path,
  item: path,
  required: ["accountId", "bucketName"],
  optional: ["jurisdiction", "rules"],
  replaceOn: ["accountId", "bucketName", "jurisdiction"],
  namedBy: "bucketName",
  create: "put",
  unsent: ["jurisdiction"],
  outputs: { jurisdiction: "default" },
  importId: "{accountId}",
  // The rules keep the plugin's camelCase.
  body: (_body, { rules }) => ({ rules: rules ?? [] }),
  // A bucket that is gone took its rules along.
  remove: async (api, lifecycle) => {
    if ((await api.get(lifecycle)) !== undefined) await api.send("put", lifecycle, { rules: [] });
  },
});
