import * as cloudflare from "@pulumi/cloudflare";
import { account_id as accountId } from "#cloudflare/api/testing/api-server.ts";
import { declared } from "#cloudflare/plugin/testing/declared.ts";
import { script } from "../../scripts/testing/declared.ts";

export const trigger = declared({
  make: (variant) =>
    new cloudflare.WorkersCronTrigger("minute", {
      accountId,
      scriptName: script(variant).scriptName,
      schedules: [{ cron: `*/${variant.edition} * * * *` }],
    }),
  record: "schedules",
  import: { type: "workersCronTrigger:WorkersCronTrigger", id: () => `${accountId}/dispatch` },
  stays: true,
});
