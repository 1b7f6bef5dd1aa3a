/** Handovers of a tenant between Git and the dashboard. */
import { defineErrors } from "../catalogue.ts";

export const fleetHandoverErrors = defineErrors({
  handover_in_progress: {
    message: "Another handover of {slug} is under way.",
    remedy: "Wait until it ends.",
  },
  handover_platform_unreadable: {
    message: "Failed to read the database URL of the platform {platform}: {fault}",
    remedy: "Deploy the platform's stack with this release first.",
  },
  handover_platform_not_found: {
    message: "The platform's stack {stack} does not exist.",
    remedy: "Correct tenantry:platformStack in the tenant's file, and check PULUMI_BACKEND_URL.",
  },
  handover_client_not_found: {
    message: "The database has no client {slug} in {environment}.",
    remedy: "Check the slug, or set --environment.",
  },
  handover_client_deleted: {
    message: "The client {slug} was deleted during the handover.",
    remedy: "Check in the dashboard whether the deletion was intended, and restore the client there.",
  },
  handover_operation_open: {
    message: "An operation on {slug} is under way: {kind} ({job}, {status}).",
    remedy: "Wait until it ends, or cancel it in the dashboard.",
  },
  handover_image_not_listed: {
    message: "The dashboard's catalogue has no image {image}.",
    remedy: "Add it first (POST /images).",
  },

  adoption_tenant_not_found: {
    message:
      "The dashboard has no deployed tenant {slug} in {environment}: the stack {stack} does not exist or does not have it.",
    remedy: "Check the slug, set --environment, or provision the tenant in the dashboard first.",
  },
  adoption_tenant_elsewhere: {
    message:
      "The dashboard has no deployed tenant {slug} in {environment}: the stack {stack} does not exist or does not have it.",
    remedy: "Check the environment. It exists with {options}.",
  },
  adoption_changes_tenant: {
    message: "The deployment of {slug} does not match its rows: {changes}.",
    remedy: "Repeat the operation that failed in the dashboard first.",
  },
  adoption_of_git_tenant: {
    message: "Git manages {slug} already, in the stack {stack}.",
    remedy: "To move it to another stack, run npm run fleet -- move {slug} --to STACK.",
  },
  adoption_of_deleted_client: {
    message: "The client {slug} is being deleted in the dashboard.",
    remedy: "Restore it there first.",
  },
  adoption_without_instance: {
    message: "The client {slug} has no instance.",
    remedy: "Create it in the dashboard first.",
  },
  adoption_of_other_stack: {
    message: "The instance of {slug} does not belong to the stack {stack}.",
    remedy: "Provision it in the dashboard first.",
  },
  adoption_during_operation: {
    message: "The instance of {slug} is {status}.",
    remedy: "Complete the operation in the dashboard first.",
  },
  adoption_file_differs: {
    message: "{file} exists and does not match the tenant.",
    remedy: "Delete it, or change it to:\n\n{text}",
  },
  adoption_incomplete: {
    message: "The adoption of {slug} is incomplete, because the run of its stack failed.",
    remedy: "Run adopt {slug} again to continue, or release {slug} to undo it. Cause: {cause}",
  },

  release_stack_not_found: {
    message: "The stack {stack} with the tenant {slug} does not exist. The dashboard requires that name.",
    remedy:
      "If another stack has the tenant, run npm run fleet -- move {slug} --to {stack} first. If it is in another environment, set --environment.",
  },
  release_of_other_stack: {
    message: "{slug} is in the stack {current}.",
    remedy: "Run npm run fleet -- move {slug} --to {stack} first.",
  },
  release_without_instance: {
    message: "The client {slug} has no instance or is being deleted.",
    remedy: "Restore the client in the dashboard, or destroy its stack.",
  },
  release_changes_tenant: {
    message: "The release would change {slug}: {changes}.",
    remedy: "Run npm run fleet -- up {stack} first.",
  },
  release_file_not_found: {
    message: "{file}, which {slug} was deployed from, does not exist.",
    remedy: "Restore it, or run npm run fleet -- adopt {slug}, which writes it.",
  },
  release_file_declares_more: {
    message: "{file} declares more than {slug}.",
    remedy: "Move the rest to another stack first.",
  },
  release_setting_not_stored: {
    message: "{file} sets {settings}, which the dashboard cannot store.",
    remedy: "Delete it from the file and deploy the stack first.",
  },
  release_of_undeployed_file: {
    message: "The deployment of {slug} does not match {file}: {changes}.",
    remedy: "Run npm run fleet -- up {stack} first.",
  },
  release_incomplete: {
    message: "The release of {slug} is incomplete, because the run of its stack failed.",
    remedy: "Run release {slug} again to continue. Cause: {cause}",
  },
});
