import * as cloudflare from "@pulumi/cloudflare";
import { account_id as accountId } from "#cloudflare/api/testing/api-server.ts";
import { declared } from "#cloudflare/plugin/testing/declared.ts";

export const namespace = declared({
  make: ({ edition }) => new cloudflare.WorkersKvNamespace("index", { accountId, title: `index-${edition}` }),
  record: "kv_namespace",
  import: { type: "workersKvNamespace:WorkersKvNamespace", id: ({ id }) => `${accountId}/${id}` },
});
