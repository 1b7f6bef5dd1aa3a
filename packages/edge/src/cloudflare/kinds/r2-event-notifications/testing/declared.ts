import * as cloudflare from "@pulumi/cloudflare";
import { account_id as accountId } from "#cloudflare/api/testing/api-server.ts";
import { declared } from "#cloudflare/plugin/testing/declared.ts";
import { queue } from "../../queues/testing/declared.ts";
import { bucket } from "../../r2/testing/declared.ts";

export const notifications = declared({
  make: (variant) =>
    new cloudflare.R2BucketEventNotification("backups", {
      accountId,
      bucketName: bucket(variant).name,
      queueId: queue(variant).id,
      rules: [{ actions: ["PutObject"], prefix: `edition-${variant.edition}/` }],
    }),
  record: "r2_event_notifications",
  ofBucket: true,
});
