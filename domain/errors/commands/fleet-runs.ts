/** Runs of stacks, and the doctor. */
import { defineErrors } from "../catalogue.ts";

export const fleetRunErrors = defineErrors({
  drift_without_passphrase: {
    message: "Failed to find drift: the state's secrets cannot be decrypted.",
    remedy: "Set PULUMI_CONFIG_PASSPHRASE.",
  },
  recovery_of_locked_stack: {
    message: "The stack {stack} was not recovered: {fault}",
    remedy: "If that run is dead, such as on a lost machine, run npm run fleet -- recover {stack} --force",
  },
  doctor_token_not_set: {
    message: "CLOUDFLARE_API_TOKEN is not set.",
    remedy: "Set it to a token that can read the account.",
  },
  doctor_stack_not_platform: {
    message: "The backend has no stack {stack} with a platform.",
    remedy: "Check the stack's name.",
  },
  doctor_no_platform: {
    message: "The backend has no stack with a platform.",
    remedy: "Check PULUMI_BACKEND_URL.",
  },
  doctor_stack_unreadable: {
    message: "Failed to read the stack {stack}: {fault}",
    remedy: "Check PULUMI_BACKEND_URL and PULUMI_CONFIG_PASSPHRASE.",
  },
  doctor_database_unknown: {
    message: "Failed to read the database, because the output serviceUrl of the stack {stack} cannot be read{fault}",
    remedy: "Deploy the platform's stack, and set its passphrase.",
  },
  doctor_database_role_wrong: {
    message:
      "Failed to read the database, because the connection has the role {kind} of {found}, but requires service of {environment}.",
    remedy: "Deploy the platform's stack with this release.",
  },
  doctor_database_unreadable: {
    message: "Failed to read the database: {fault}.",
    remedy: "Check that it runs and has the schema of this release.",
  },
  doctor_list_denied: {
    message: "Permission denied: CLOUDFLARE_API_TOKEN cannot list {kind}s.",
    remedy: "Grant it {permission} ({fault}).",
  },
  doctor_list_failed: {
    message: "Failed to list all {kind}s: {fault}.",
    remedy: "Run doctor again, and check the API's status if it fails again.",
  },
  doctor_heartbeats_unreadable: {
    message: "Failed to read heartbeats: {fault}.",
    remedy: "Grant CLOUDFLARE_API_TOKEN Account Analytics (Read).",
  },
  doctor_findings_not_stored: {
    message: "Failed to store when each finding was first seen: {fault}.",
    remedy: "Check the database, and run doctor again.",
  },
});
