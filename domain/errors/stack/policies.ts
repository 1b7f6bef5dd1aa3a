/** Violations that the policy pack reports. */
import { defineErrors } from "../catalogue.ts";

export const policyErrors = defineErrors({
  resource_not_checkable: {
    message: "{urn} cannot be checked: it does not have the form that the rule expects.",
    remedy: "Use the providers' versions of package-lock.json. Cause: {cause}",
  },
  access_group_for_everyone: {
    message: "The Access group {name} includes everyone.",
    remedy: "Include its members instead.",
  },
  access_policy_for_everyone: { message: "The Access policy {name} {fault}.", remedy: "Allow a group instead." },
  access_application_for_everyone: {
    message: "The Access application {name} has a policy that {fault}.",
    remedy: "Allow a group instead.",
  },
  access_policy_beyond_groups: {
    message: "{addresses} has the policy {policy}, which does not allow only groups.",
    remedy: "Use it for public paths only.",
  },
  access_policy_not_declared: {
    message: "{addresses} has policies that this stack does not declare.",
    remedy: "Declare one that allows a group.",
  },
  access_policy_missing: {
    message: "{addresses} has no policy.",
    remedy: "Declare one that allows a group.",
  },
  ai_spend_not_limited: {
    message: "The AI gateway {name} allows a tenant of the plan {plan} to spend more than {limit} US dollars.",
    remedy: "Add a spend limit for the plan, or configure the rule's limits.",
  },
  backup_bucket_not_kept: {
    message: "The bucket {bucket} would be deleted with its tenant.",
    remedy: "Set retainOnDelete, or protect it.",
  },
  ai_gateway_without_filter: {
    message: "The AI gateway {name} filters nothing.",
    remedy: "Enable dlp.",
  },
  ai_gateway_without_profile: {
    message: "The AI gateway {name} has no filter profile.",
    remedy: "Add one to dlp.profiles.",
  },
  ai_gateway_ignores_findings: {
    message: "The AI gateway {name} ignores what it finds.",
    remedy: "Set dlp.action to FLAG or BLOCK.",
  },
  secret_in_plain_text: {
    message: "The binding {binding} of {script} is plain text and {fault}.",
    remedy: "Bind it as a secret.",
  },
  script_beyond_plan: {
    message: "The tenant's script {script} {fault}.",
    remedy: "Set the plan's value, or change the tenant's plan.",
  },
  containers_beyond_plan: {
    message: "The containers of {name} {fault}.",
    remedy: "Set the plan's type, or configure the rule's containers.",
  },
  script_tag_missing: {
    message: "The script {script} has no correct tag {tag}.",
    remedy: "Add the tag.",
  },
  tenant_slug_not_allowed: { message: 'The slug "{slug}" {fault}.', remedy: "Correct the tenant's slug." },
});
