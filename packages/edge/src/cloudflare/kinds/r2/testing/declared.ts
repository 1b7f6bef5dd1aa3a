import * as cloudflare from "@pulumi/cloudflare";
import { account_id as accountId } from "#cloudflare/api/testing/api-server.ts";
import { declared } from "#cloudflare/plugin/testing/declared.ts";

export const bucket = declared({
  make: ({ edition, bucket: name }) =>
    new cloudflare.R2Bucket("backups", {
      accountId,
      name,
      storageClass: edition === 1 ? "Standard" : "InfrequentAccess",
    }),
  record: "bucket",
  import: { type: "r2Bucket:R2Bucket", id: () => `${accountId}/backups/default` },
});

export const lifecycle = declared({
  make: (variant) =>
    new cloudflare.R2BucketLifecycle("backups", {
      accountId,
      bucketName: bucket(variant).name,
      rules: [
        {
          id: "expire",
          enabled: true,
          conditions: { prefix: "backups/" },
          deleteObjectsTransition: { condition: { type: "Age", maxAge: 86_400 * variant.edition } },
        },
      ],
    }),
  ofBucket: true,
});
