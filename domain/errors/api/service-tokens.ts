/** Errors of service tokens of clients' users. */
import { defineErrors } from "../catalogue.ts";

export const serviceTokenErrors = defineErrors({
  access_not_responding: {
    code: "tenant_unavailable",
    message: "Cloudflare Access did not create the token.",
    remedy: "Try again. If it fails again, search the dashboard's log for access-token.",
  },
  access_refused_token: {
    code: "no_account_capacity",
    message: "Cloudflare Access refused to create the token. An account has 50 service tokens by default.",
    remedy: "Revoke tokens, or have Cloudflare raise the limit. The dashboard's log has Cloudflare's message.",
  },
  client_has_max_service_tokens: {
    code: "conflict",
    message: "The client {slug} has {most} service tokens, the maximum.",
    remedy: "Revoke one.",
  },
  service_token_exists: {
    code: "conflict",
    message: "A service token with this ID was created. Its secret was shown once.",
    remedy: "Revoke it if you do not have the secret, and create another with another ID.",
  },
  service_token_not_found: {
    code: "not_found",
    message: "Service token not found.",
    remedy: "Check the ID, and that your role has access to the client.",
  },
  service_token_role_above_user: {
    code: "conflict",
    message: "The role of a token must be at most the role of its user.",
    remedy: "Choose a lower role.",
  },
  service_token_role_too_high: {
    code: "conflict",
    message: "The role of a token must be at most the role of its user; {email} is {role}.",
    remedy: "Choose a lower role, or change the user's role first.",
  },
  service_token_user_without_access: {
    code: "conflict",
    message: "{email} has no access to the tenant {slug}.",
    remedy: "Choose a user who accepted an invitation to the tenant.",
  },
  service_tokens_disabled: {
    code: "conflict",
    message: "The platform's stack disables service tokens.",
    remedy: "Set serviceTokens under tenantry:platform, and deploy the platform and its tenants.",
  },
  service_tokens_not_in_staging: {
    code: "conflict",
    message: "Tenants of staging accept no service tokens.",
    remedy: "Use a tenant of another environment.",
  },
});
