/** Outputs of other stacks, and what the program reads of the account. */
import { defineErrors } from "../catalogue.ts";

export const stackOutputErrors = defineErrors({
  stack_not_found: { message: "There is no stack {stack}.", remedy: "Check its name." },
  stack_outputs_unreadable: {
    message: "The outputs of the stack {stack} cannot be read: {fault}",
    remedy: "Check PULUMI_BACKEND_URL, and run the command again.",
  },
  output_of_other_version: {
    message: "The output {output} of the stack {stack} was written by another version.",
    remedy: "Run pulumi up there first.",
  },
  secret_output_unreadable: {
    message: "The secret {output} of the stack {stack} cannot be read.",
    remedy: "Give both stacks the same secrets provider and passphrase.",
  },
  tenants_never_deployed: {
    message: "The stack {stack} has no output {output}: it was never deployed.",
    remedy: "Run pulumi up there first.",
  },
  output_not_found: {
    message: "The stack {stack} has no output {output}: it holds no deployed platform, or one without it.",
    remedy: "Run pulumi up there first, or name the platform's stack.",
  },
  platform_not_deployed: {
    message: "The stack {stack} holds no deployed platform.",
    remedy: "Run pulumi up there first, or correct tenantry:platformStack.",
  },
  platform_of_other_environment: {
    message: "The stack {stack} has the environment {found}, this stack {environment}.",
    remedy: "Set tenantry:environment to match.",
  },
  permission_groups_unreadable: {
    message: "The permission groups of API tokens cannot be read: {fault}",
    remedy: "Check the API token and tenantry:platform.accountId.",
  },
  permission_group_not_found: {
    message: "The account has no permission group {name}.",
    remedy: "Check that the API token may read permission groups.",
  },
});
