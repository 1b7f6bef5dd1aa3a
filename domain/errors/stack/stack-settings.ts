/** Faults of a stack's settings: a line each, under the heading `settings_invalid`. */
import { defineErrors } from "../catalogue.ts";

export const stackSettingErrors = defineErrors({
  settings_invalid: {
    message: "The stack's settings have {count}.",
    remedy: "Correct the stack's file at each path.",
  },
  setting_breaks_rule: {
    message: "{path}: {rule}.",
    remedy: "Correct the value in the stack's file.",
  },
  setting_not_json: {
    message: "tenantry:{key}: is not an object or list.",
    remedy: "Write it as YAML under config.",
  },
  setting_unknown: {
    message: "{path}: unknown setting {key}.",
    remedy: "Remove it or correct its name.",
  },
  setting_missing: { message: "{path}: is missing.", remedy: "Set it to a {type}." },
  setting_declared_twice: {
    message: "{path}: {value} is declared already by {earlier}.",
    remedy: "Rename or remove one.",
  },
  door_secrets_invalid: {
    message: "{path}: the secrets in {setting} are invalid: {rule}.",
    remedy: "Correct them with pulumi config set --secret --path.",
  },
  door_secrets_without_door: {
    message: "tenantry:doorSecrets: names doors that tenantry:clients does not declare ({count}).",
    remedy: "Declare the doors, or remove their secrets.",
  },
  connection_missing: {
    message: "tenantry:{key}: is missing.",
    remedy: "Set it in the stack's configuration or as {variable}.",
  },
  platform_in_dashboard_stack: {
    message: "tenantry:managedBy: a stack of the dashboard has clients only.",
    remedy: "Declare platform and partners in another stack.",
  },
  dashboard_stack_of_several_platforms: {
    message: "tenantry:platformStack: a dashboard's tenants are of its own platform.",
    remedy: "Name that one stack.",
  },
  rotations_without_platform: {
    message: "tenantry:rotations: a stack of tenants has no secrets to rotate.",
    remedy: "Move it to the platform's stack.",
  },
  platform_missing: {
    message: "tenantry:platform: is missing.",
    remedy:
      "Declare the platform here, or name the stack that holds it in tenantry:platformStack (is this the directory of the stack's file?).",
  },
  platform_declared_and_named: {
    message: "tenantry:platformStack: a stack that declares a platform uses that one.",
    remedy: "Remove one of the two.",
  },
  client_partner_not_declared: {
    message: "{path}: unknown partner {partner}.",
    remedy: "Declare it under tenantry:partners.",
  },
  platform_address_too_long: {
    message: "tenantry:platform.domain: {fault}.",
    remedy: "Use a shorter domain.",
  },
  tenant_address_too_long: { message: "{path}: {fault}.", remedy: "Choose a shorter slug." },
  tenant_health_address_too_long: {
    message: "{path}: {fault}.",
    remedy: "Choose a shorter slug, or platform.healthApplication: shared.",
  },
});
