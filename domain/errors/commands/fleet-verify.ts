/** Findings of `npm run fleet -- verify`. Each is a step that does not pass. */
import { defineErrors } from "../catalogue.ts";

export const verifyErrors = defineErrors({
  verify_stack_not_platform: {
    message: "The stack {stack} has no deployed platform.",
    remedy: "Deploy it, or set --stack to the platform's stack.",
  },
  verify_step_without_earlier: {
    message: "Not done, because this step did not pass: {step}.",
    remedy: "Correct that finding, and run verify again.",
  },
  verify_step_failed: {
    message: "The step failed: {fault}",
    remedy: "Read the tenant's log, as docs/how-to/debug-a-tenant.md describes.",
  },
  verify_tenant_unknown: {
    message: "The platform has no running tenant {slug}: {fault}",
    remedy: "Name a tenant of this platform, or omit it to use a canary.",
  },
  verify_canary_not_deployed: {
    message: "Failed to deploy the canary: {fault}",
    remedy: "Correct that fault, and run verify again.",
  },
  verify_canary_not_removed: {
    message: "Failed to remove the canary {slug}: {fault}",
    remedy: "Remove it: npx pulumi -C tenants destroy --remove -s {stack}. Then run npm run fleet -- doctor.",
  },
  verify_stranger_admitted: {
    message: "{url} answers a request without a token with status {status}, and not with the login.",
    remedy: "Check the tenant's Access application in Cloudflare's dashboard, and deploy the tenant's stack again.",
  },
  verify_order_admitted: {
    message: "{url} answers a request without the platform's token with status {status}, and must refuse it.",
    remedy: "Deploy the platform's stack again.",
  },
  verify_health_hidden: {
    message: "{url} answers with status {status}, and health must be public.",
    remedy: "Set healthApplication: tenant under tenantry:platform, and deploy.",
  },
  verify_gateway_not_ready: {
    message: "The gateway was not ready within {seconds} s: {fault}",
    remedy: "Read the tenant's log, as docs/how-to/debug-a-tenant.md describes.",
  },
  verify_api_refused: {
    message: "Cloudflare's API refused: {fault}.",
    remedy: "Correct that fault, and run verify again.",
  },
  verify_application_missing: {
    message: "The account has no Access application of {host}.",
    remedy: "Deploy the tenant's stack again.",
  },
  verify_login_not_possible: {
    message: "Not done, because there is no login: {why}",
    remedy:
      "Give CLOUDFLARE_API_TOKEN the right Access: Service Tokens (Edit). Or set TENANTRY_ACCESS_TOKEN to the output of cloudflared access token --app=https://HOST, and name that tenant.",
  },
  verify_login_refused: {
    message: "{url} refuses the login with status {status}.",
    remedy:
      "Check that tenantry:accessIssuer is the account's and, with TENANTRY_ACCESS_TOKEN, that the user is a user of the tenant.",
  },
  verify_access_not_granted: {
    message: "Failed to admit a service token to the tenant: {fault}",
    remedy: "Correct that fault, and run verify again.",
  },
  verify_access_not_removed: {
    message: "Failed to remove the service token or its policy: {fault}",
    remedy: "Delete both in Cloudflare's Zero Trust dashboard; their name is {name}.",
  },
  verify_turn_not_possible: {
    message: "Not done, because the image's gateway has no HTTP interface for a message.",
    remedy: "Open the tenant in a browser, and send a message.",
  },
  verify_turn_failed: {
    message: "The agent answers a message with status {status}: {fault}",
    remedy: "Check the keys in tenantry:providerKeys and the log of the AI gateway {gateway}.",
  },
  verify_turn_not_logged: {
    message: "The AI gateway {gateway} has no log entry of the message.",
    remedy: "Check that the AI gateway collects logs, and that the image calls AI_GATEWAY_URL.",
  },
  verify_backup_not_made: {
    message: "The tenant has no state to back up.",
    remedy: "Use the tenant, and run verify again.",
  },
  verify_sleep_not_possible: {
    message: "Not done: {why}",
    remedy: "Name a tenant of a plan with sleep, and deploy its stack with this version.",
  },
  verify_not_asleep: {
    message: "The tenant does not sleep: {fault}",
    remedy: "Read the tenant's log, as docs/how-to/debug-a-tenant.md describes.",
  },
  verify_not_woken: {
    message: "The tenant did not wake within {seconds} s of the ordered time.",
    remedy: "Read the tenant's log, as docs/how-to/debug-a-tenant.md describes.",
  },
});
