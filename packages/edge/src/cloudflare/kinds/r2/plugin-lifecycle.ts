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
  // The API takes rules in camelCase.
  body: (_body, { rules }) => ({ rules: rules ?? [] }),
  // Cloudflare's provider deletes nothing.
  remove: async () => {},
});
