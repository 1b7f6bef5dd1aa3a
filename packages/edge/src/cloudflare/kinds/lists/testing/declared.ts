import * as cloudflare from "@pulumi/cloudflare";
import { account_id as accountId } from "#cloudflare/api/testing/api-server.ts";
import { declared } from "#cloudflare/plugin/testing/declared.ts";

export const list = declared({
  make: ({ edition }) =>
    new cloudflare.ZeroTrustList("members", {
      accountId,
      name: `members-${edition}`,
      type: "EMAIL",
      items: [{ value: "zoe@example.com" }, { value: "ada@example.com" }],
    }),
  record: "list",
  import: { type: "zeroTrustList:ZeroTrustList", id: ({ id }) => `${accountId}/${id}` },
});
