import * as cloudflare from "@pulumi/cloudflare";
import { account_id as accountId, domain } from "#cloudflare/api/testing/api-server.ts";
import { declared } from "#cloudflare/plugin/testing/declared.ts";
import { list } from "../../lists/testing/declared.ts";

export const group = declared({
  make: (variant) =>
    new cloudflare.ZeroTrustAccessGroup("members", {
      accountId,
      name: `members-${variant.edition}`,
      includes: [{ emailList: { id: list(variant).id } }],
    }),
  record: "access_group",
  import: { type: "zeroTrustAccessGroup:ZeroTrustAccessGroup", id: ({ id }) => `accounts/${accountId}/${id}` },
});

export const policy = declared({
  make: (variant) =>
    new cloudflare.ZeroTrustAccessPolicy("members", {
      accountId,
      name: `members-${variant.edition}`,
      decision: "allow",
      includes: [{ group: { id: group(variant).id } }],
    }),
  record: "access_policy",
  import: { type: "zeroTrustAccessPolicy:ZeroTrustAccessPolicy", id: ({ id }) => `${accountId}/${id}` },
});

export const application = declared({
  make: (variant) =>
    new cloudflare.ZeroTrustAccessApplication("acme", {
      accountId,
      name: `acme-${variant.edition}`,
      type: "self_hosted",
      domain: `acme.${domain}`,
      sessionDuration: `${23 + variant.edition}h`,
      policies: [{ id: policy(variant).id, precedence: 1 }],
    }),
  record: "access_application",
  import: {
    type: "zeroTrustAccessApplication:ZeroTrustAccessApplication",
    id: ({ id }) => `accounts/${accountId}/${id}`,
  },
  outputs: ({ aud }) => ({ audience: aud }),
});
