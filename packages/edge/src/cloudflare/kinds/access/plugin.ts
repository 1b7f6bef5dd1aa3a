import { splitWords } from "../../api/operations.ts";
import type { PluginPart } from "../../plugin/part.ts";

export const plugin: PluginPart = {
  resources: [
    {
      type: "cloudflare:index/zeroTrustAccessApplication:ZeroTrustAccessApplication",
      collection: "/accounts/{accountId}/access/apps",
      required: ["accountId"],
      optional: splitWords(`
        name type domain destinations sessionDuration policies allowedIdps autoRedirectToIdentity
        appLauncherVisible corsHeaders customDenyMessage customDenyUrl enableBindingCookie
        httpOnlyCookieAttribute logoUrl optionsPreflightBypass pathCookieAttribute sameSiteCookieAttribute
        selfHostedDomains serviceAuth401Redirect skipInterstitial tags
      `),
      replaceOn: ["accountId"],
      removes: "The application and its audience tag. Requests to its host reach the Worker without a login.",
      outputs: { appLauncherVisible: null, httpOnlyCookieAttribute: null, skipAppLauncherLoginPage: null },
      importId: "accounts/{accountId}",
    },
    {
      type: "cloudflare:index/zeroTrustAccessGroup:ZeroTrustAccessGroup",
      collection: "/accounts/{accountId}/access/groups",
      required: ["accountId", "name", "includes"],
      optional: ["excludes", "requires", "isDefault"],
      replaceOn: ["accountId"],
      removes: "The group, from every policy that includes it.",
      renames: { includes: "include", excludes: "exclude", requires: "require" },
      importId: "accounts/{accountId}",
    },
    {
      type: "cloudflare:index/zeroTrustAccessPolicy:ZeroTrustAccessPolicy",
      collection: "/accounts/{accountId}/access/policies",
      required: ["accountId", "name", "decision"],
      optional: ["includes", "excludes", "requires", "sessionDuration", "approvalRequired", "isolationRequired"],
      replaceOn: ["accountId"],
      removes: "The policy, from every application that uses it.",
      renames: { includes: "include", excludes: "exclude", requires: "require" },
      importId: "{accountId}",
    },
  ],
};
