import type { PluginPart } from "../../plugin/part.ts";

const collection = "/accounts/{accountId}/event_notifications/r2/{bucketName}/configuration";

export const plugin: PluginPart = {
  resources: [
    {
      type: "cloudflare:index/r2BucketEventNotification:R2BucketEventNotification",
      collection,
      item: `${collection}/queues/{id}`,
      required: ["accountId", "bucketName", "queueId", "rules"],
      optional: ["jurisdiction"],
      replaceOn: ["accountId", "bucketName", "queueId"],
      removes: "The rules of one bucket and queue.",
      namedBy: "queueId",
      create: "put",
      update: "renew",
      unsent: ["jurisdiction", "queueId"],
      outputs: { jurisdiction: "default", queueName: null },
      importId: "{accountId}/{bucketName}",
      // The API takes rules in camelCase.
      body: (_body, { rules }) => ({ rules }),
    },
  ],
};
