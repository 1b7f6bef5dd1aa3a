/** Errors of the database without a rule of the platform: missing rights, conflicts, failed connections. */
import { defineErrors } from "../catalogue.ts";

export const databaseErrors = defineErrors({
  database_busy: {
    code: "tenant_unavailable",
    message: "The database has no free resources.",
    remedy: "Try again later.",
  },
  database_connection_failed: {
    code: "tenant_unavailable",
    message: "The connection to the database failed.",
    remedy: "Try again.",
  },
  database_credentials_rejected: {
    message: "The database rejected the user or password.",
    remedy: "Check the database URL.",
  },
  database_error: {
    code: "internal",
    message: "The database reported an unexpected error.",
    remedy: "Search the log for the ID of the error.",
  },
  database_missing: {
    message: "The database in the database URL does not exist.",
    remedy: "Create it, or correct the URL.",
  },
  database_not_reachable: {
    code: "tenant_unavailable",
    message: "Failed to connect to the database{cause}.",
    remedy: "Check that it runs and that its URL is correct.",
  },
  database_permission_denied: {
    code: "forbidden",
    message: "Permission denied: the role does not allow this change.",
    remedy: "Ask a user with the role ROOT, or connect as a database user that has the right.",
  },
  database_restarting: {
    code: "tenant_unavailable",
    message: "The database is restarting.",
    remedy: "Try again.",
  },
  database_schema_missing: {
    message: "The database does not have the schema of this version.",
    remedy: "Deploy the platform's stack first.",
  },
  database_timeout: {
    code: "tenant_unavailable",
    message: "The database took too long to answer.",
    remedy: "Try again.",
  },
  record_already_exists: {
    code: "conflict",
    message: "The same {name} already exists.",
    remedy: "Change the values.",
  },
  record_changed_meanwhile: {
    code: "conflict",
    message: "Another change to the same data was in progress.",
    remedy: "Try again.",
  },
  record_conflicts: {
    code: "conflict",
    message: "This conflicts with existing data.",
    remedy: "Change the values and try again.",
  },
  record_in_use: {
    code: "conflict",
    message: "Other records{type} still refer to it.",
    remedy: "Remove them first.",
  },
  record_reference_missing: {
    code: "conflict",
    message: "The {name} refers to a record that does not exist.",
    remedy: "Check the values.",
  },
  record_value_malformed: {
    code: "invalid_request",
    message: "A value is out of range or has the wrong format.",
    remedy: "Correct it and try again.",
  },
  record_value_missing: {
    code: "invalid_request",
    message: "A required value of the {name} is missing.",
    remedy: "Add the value.",
  },
  record_value_not_allowed: {
    code: "invalid_request",
    message: "A value of the {name} is not allowed.",
    remedy: "Check the values.",
  },
});
