import { apiResource } from "../../plugin/api-resource.ts";

const path = "/accounts/{accountId}/r2/buckets/{bucketName}/lifecycle";

export const r2BucketLifecycle = apiResource({
  type: "cloudflare:index/r2BucketLifecycle:R2BucketLifecycle",
  collection: path,
  item: path,
  required: ["accountId", "bucketName"],
  optional: ["jurisdiction", "rules"],
  replaceOn: ["accountId", "bucketName"],
  removes: "Nothing: the bucket keeps its rules until other rules are written.",
  namedBy: "bucketName",
  create: "put",
  unsent: ["jurisdiction"],
  outputs: { jurisdiction: "default" },
  importId: "{accountId}",
  // The rules keep the plugin's camelCase.
  body: (_body, { rules }) => ({ rules: rules ?? [] }),
  // The vendor's plugin calls nothing.
  remove: async () => {},
});
