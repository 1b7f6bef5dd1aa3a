import { apiResource } from "../../plugin/api-resource.ts";

export const r2Bucket = apiResource({
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
});
