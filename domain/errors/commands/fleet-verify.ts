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
  verify_login_not_possible: {
    message:
      "Not done, because there is no user's token. The platform admits users only: a service token of Access names no user.",
    remedy:
      "Set TENANTRY_ACCESS_TOKEN to the output of cloudflared access token --app=https://HOST, and name that tenant. With a local edge, set --state.",
  },
  verify_login_refused: {
    message: "{url} refuses the user's token with status {status}.",
    remedy: "Check that the user is a user of the tenant, and that tenantry:accessIssuer is the account's.",
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
  verify_sleep_not_awaited: {
    message: "Not done: no interface makes a tenant sleep. This one sleeps {when}.",
    remedy: "Add --sleep, which waits for it.",
  },
  verify_not_asleep: {
    message: "The tenant did not sleep within {minutes} minutes: {fault}.",
    remedy: "Read the tenant's log, as docs/how-to/debug-a-tenant.md describes.",
  },
});
