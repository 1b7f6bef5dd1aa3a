import * as cloudflare from "@pulumi/cloudflare";
import { account_id as accountId } from "#cloudflare/api/testing/api-server.ts";
import { declared } from "#cloudflare/plugin/testing/declared.ts";

export const queue = declared({
  make: ({ edition }) => new cloudflare.Queue("fanout", { accountId, queueName: `fanout-${edition}` }),
  record: "queue",
  import: { type: "queue:Queue", id: ({ id }) => `${accountId}/${id}` },
});
