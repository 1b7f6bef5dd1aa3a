/** The Pulumi provider `tenantry`. */
import { defineErrors } from "../catalogue.ts";

export const providerErrors = defineErrors({
  provider_database_url_missing: {
    message: "No database URL is set.",
    remedy: "Set TENANTRY_DATABASE_URL, or run `pulumi config set --secret tenantry:databaseUrl`.",
  },
  provider_database_url_invalid: {
    message: "The database URL is invalid.",
    remedy: "Use the form postgres://user:password@host:port/database.",
  },
  provider_login_refused: {
    message: "The database refuses the user or password in this stack's state, so none of its rows could be read.",
    remedy:
      "If someone changed the password, create a new one in the platform's stack: pulumi up --replace '**RandomPassword::provisioner-password*'.",
  },
  provider_doors_key_missing: {
    message: "The provider has no key for the secrets of doors.",
    remedy: "Set doorsKey to the output doorsKey of the platform's stack.",
  },
  door_invalid: { message: "The door {name} is invalid: {faults}.", remedy: "Correct it in the stack's file." },
  door_of_dashboard: {
    message: "{slug} has a door {name} that the dashboard manages.",
    remedy: "Choose another name, or delete that door there.",
  },
  door_not_importable: {
    message: "A door cannot be imported, because its key is not stored.",
    remedy: "Declare another door.",
  },
  table_not_found: { message: "The table {table} does not exist.", remedy: "Run the migrations first." },
  row_key_ambiguous: {
    message: "The key matches {count} rows of {table} instead of one.",
    remedy: "Add columns to the key.",
  },
  column_not_found: {
    message: "Table {table} has no column '{column}'.",
    remedy: "Correct the column's name, or run the migrations first.",
  },
  column_not_scalar: {
    message: "Column '{column}' of {table} has the type {type}.",
    remedy: "Set it to a scalar.",
  },
  row_not_found: {
    message: "The row {id} no longer exists.",
    remedy: "Run `pulumi refresh`, then `pulumi up` to create it again.",
  },
  record_id_invalid: {
    message: "'{id}' is not an id of a record.",
    remedy: "Use 'schema.table/column=value'.",
  },
  resource_id_invalid: { message: "'{id}' is not an id of {kind}.", remedy: "Use '{form}'." },
  schema_files_changed: {
    message: "The files of the database schema changed while the deployment ran.",
    remedy: "Run it again.",
  },
  rows_of_other_stacks: {
    message: "{table} has rows of {stacks}.",
    remedy: "Destroy their resources first.",
  },
  removal_of_dashboard_client: {
    message: "The dashboard manages this client.",
    remedy: "Delete it there. If a release was interrupted, run npm run fleet -- release again.",
  },
  removal_refused: {
    message: "{name} was not removed, and nothing has changed.",
    remedy: "{cause}",
  },
  backup_run_cancelled: { message: "The run was cancelled.", remedy: "Start it again." },
  backup_timed_out: {
    message: "The dispatch Worker did not respond within {minutes} minutes.",
    remedy: "Check the tenant's health.",
  },
  backup_worker_unreachable: {
    message: "The dispatch Worker cannot be reached at {host}{code}.",
    remedy: "Check the network and the platform's domain.",
  },
  backup_response_unexpected: {
    message: "The dispatch Worker responded with HTTP {status}.",
    remedy: "Read its log.",
  },
  container_not_backed_up: {
    message: "The tenant's state could not be backed up, so its container was not replaced: {cause}",
    remedy: "Fix the cause and run again, or set tenantry:backupBeforeRedeploy to false to continue without a backup.",
  },
  object_class_not_found: {
    message: "The script {script} of {namespace} has no Durable Object class '{className}'.",
    remedy: "Add it to the script's migrations.",
  },
  container_update_failed: {
    message: "The application exists, but its update failed: {cause}",
    remedy: "Run the deployment again to continue.",
  },
  access_group_foreign: {
    message: "The account has an Access group '{name}' that does not include this platform's groups.",
    remedy: "Rename or delete it in Zero Trust. If it is this platform's, import it with `pulumi import`.",
  },
  access_group_ambiguous: {
    message: "The account has {count} Access groups '{name}'.",
    remedy: "Remove all but one.",
  },
  access_group_without_id: {
    message: "Cloudflare returned no id for the Access group '{name}'.",
    remedy: "Run the deployment again.",
  },
  object_classes_differ: {
    message: "The script '{script}' has other classes (migration {tag}).",
    remedy: "Delete it first.",
  },
});
