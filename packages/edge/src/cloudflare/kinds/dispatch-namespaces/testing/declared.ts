import * as cloudflare from "@pulumi/cloudflare";
import { account_id as accountId } from "#cloudflare/api/testing/api-server.ts";
import { declared } from "#cloudflare/plugin/testing/declared.ts";

export const namespace = declared({
  make: () => new cloudflare.WorkersForPlatformsDispatchNamespace("tenants", { accountId, name: "tenants" }),
  record: "dispatch_namespace",
  import: {
    type: "workersForPlatformsDispatchNamespace:WorkersForPlatformsDispatchNamespace",
    id: () => `${accountId}/tenants`,
  },
  changes: false,
});
