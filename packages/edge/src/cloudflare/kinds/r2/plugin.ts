import type { PluginPart } from "../../plugin/part.ts";
import { r2Bucket } from "./plugin-bucket.ts";
import { getBucket } from "./plugin-get-bucket.ts";
import { r2BucketLifecycle } from "./plugin-lifecycle.ts";

export const plugin: PluginPart = {
  resources: [r2Bucket, r2BucketLifecycle],
  functions: { "cloudflare:index/getR2Bucket:getR2Bucket": getBucket },
};
