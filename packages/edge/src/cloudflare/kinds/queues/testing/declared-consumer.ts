import * as cloudflare from "@pulumi/cloudflare";
import { account_id as accountId } from "#cloudflare/api/testing/api-server.ts";
import { declared } from "#cloudflare/plugin/testing/declared.ts";
import { script } from "../../scripts/testing/declared.ts";
import { queue } from "./declared.ts";

export const consumer = declared({
  make: (variant) =>
    new cloudflare.QueueConsumer("fanout", {
      accountId,
      queueId: queue(variant).id,
      type: "worker",
      scriptName: script(variant).scriptName,
      settings: { batchSize: 10 + variant.edition, maxRetries: 1, maxWaitTimeMs: 1000 },
    }),
  record: "queue_consumer",
});
