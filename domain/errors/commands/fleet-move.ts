/** Moves of a tenant to another stack. */
import { defineErrors } from "../catalogue.ts";

export const fleetMoveErrors = defineErrors({
  move_to_other_stack_begun: {
    message: "A move of {slug} to {begun} was interrupted.",
    remedy: "Run npm run fleet -- move {slug} --to {begun} first.",
  },
  move_incomplete: {
    message: "The move of {slug} is incomplete.",
    remedy:
      "Run move {slug} --to {stack} again to continue. The states before the move are in {directory}. Cause: {cause}",
  },
  move_target_name_invalid: {
    message: "{name} is not a valid stack name.",
    remedy: "Set --to to letters, digits, dots, hyphens and underscores, at most 100.",
  },
  move_tenant_declared_twice: {
    message: "More than one file declares {slug}: {files}.",
    remedy: "Delete the declaration from all files but that of the stack that has the tenant.",
  },
  move_tenant_not_declared: {
    message: "No file in {directories} declares {slug} in {environment}.",
    remedy:
      "If the dashboard manages it, run npm run fleet -- adopt {slug} first. If it is in another environment, set --environment.",
  },
  move_to_same_stack: { message: "{file} declares {slug} already.", remedy: "Set --to to another stack." },
  move_door_secrets_in_one_value: {
    message: "{file} has the secrets of all doors in one encrypted value.",
    remedy:
      "Set each by its path instead: pulumi config set --secret --path tenantry:doorSecrets.SLUG.DOOR.NAME. Then move the tenant.",
  },
  move_door_secrets_unreadable: {
    message: "Failed to decrypt the secrets of doors of {slug} in {file}: {cause}",
    remedy: "Run the command with the key or passphrase of the stack of {file}.",
  },
  move_tenant_not_deployed: {
    message: "{slug} is not deployed.",
    remedy: "Run npm run fleet -- up {stack} first.",
  },
  move_declaration_unsupported: {
    message: "{file} does not declare {slug} as an entry of a list.",
    remedy: "Write it as one.",
  },
  move_to_platform: { message: "{file} declares a platform.", remedy: "Choose a stack of tenants." },
  move_to_dashboard_file: {
    message: "The dashboard manages the stack of {file}.",
    remedy: "Choose another stack.",
  },
  move_to_dashboard_stack: {
    message: "The dashboard manages the stack {stack}.",
    remedy: "Choose another stack.",
  },
  move_to_other_environment: {
    message: "{file} is for {found}, but {slug} is in {environment}.",
    remedy: "Choose another stack.",
  },
  move_to_other_platform: {
    message: "{file} is for the platform {found}, but {slug} belongs to {platform}.",
    remedy: "Choose another stack.",
  },
  move_of_dashboard_tenant: {
    message: "The dashboard manages {slug}.",
    remedy: "Run npm run fleet -- adopt {slug} first.",
  },
  move_from_other_owner: {
    message: "{slug} was deployed by {owner}, not by {stack}.",
    remedy: "Run npm run fleet -- up {stack} first.",
  },
  move_target_has_tenant: {
    message: "The stack {target} has a tenant {slug} already, but {stack} owns it.",
    remedy: "Recover one of the two first.",
  },
  move_target_without_file: {
    message: "The stack {stack} has {tenants}, but {file} does not exist.",
    remedy: "Restore the file first.",
  },
  move_changes_stack: {
    message: "A deployment would change the stack {stack}: {changes}.",
    remedy: "Deploy {source} and the target as their files declare first.",
  },
});
