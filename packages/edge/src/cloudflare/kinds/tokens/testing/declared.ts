import { createHash } from "node:crypto";
import * as cloudflare from "@pulumi/cloudflare";
import { account_id as accountId } from "#cloudflare/api/testing/api-server.ts";
import { declared } from "#cloudflare/plugin/testing/declared.ts";

export const token = declared({
  make: ({ edition }) => {
    const groups = cloudflare.getAccountApiTokenPermissionGroupsListOutput({
      accountId,
      name: encodeURIComponent("Workers R2 Storage Bucket Item Write"),
    });
    return new cloudflare.AccountToken("backups", {
      accountId,
      name: `backups-${edition}`,
      policies: [
        {
          effect: "allow",
          permissionGroups: groups.results.apply((found) => found.slice(0, 1).map(({ id }) => ({ id }))),
          resources: `{ "com.cloudflare.edge.r2.bucket.${accountId}_default_backups": "*" }`,
        },
      ],
    });
  },
  record: "api_token",
  import: { type: "accountToken:AccountToken", id: ({ id }) => `${accountId}/${id}` },
  outputs: ({ value }) => ({
    tokenHash: value.apply((secret) => createHash("sha256").update(secret).digest("hex")),
  }),
});
