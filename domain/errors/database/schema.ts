/** Errors of the schema's files, and of upgrades of a database. */
import { defineErrors } from "../catalogue.ts";

export const schemaErrors = defineErrors({
  database_not_of_first_version: {
    message:
      "The database was not deployed by version 0.1.0: {cause}. Tenantry 0.2.0 upgrades databases whose last migration is 20261125000010_versions or later. Earlier migrations were edited after they had been applied.",
    remedy: "Deploy a new platform, or ask the maintainers for help with the data. Nothing was changed.",
  },
  database_structure_differs: {
    message:
      "The database's tables differ from those of version 0.1.0. Tenantry 0.2.0 upgrades databases whose last migration is 20261125000010_versions or later. Earlier migrations were edited after they had been applied.",
    remedy: "Deploy a new platform, or ask the maintainers for help with the data. Nothing was changed.",
  },
  database_too_old: {
    message:
      "The database has migrations of a version before 0.1.0 (the last is {last}). Tenantry 0.2.0 upgrades databases whose last migration is 20261125000010_versions or later. Earlier migrations were edited after they had been applied.",
    remedy: "Deploy a new platform, or ask the maintainers for help with the data. Nothing was changed.",
  },
  migration_changed: {
    message: "The migration {migration} was applied as {name} with other content.",
    remedy:
      'Restore the file, and put the change into a new migration ("npm run database:new NAME"). Nothing was changed.',
  },
  migration_failed: {
    message: "The migration {migration} failed: {cause}.",
    remedy: "Correct the file; nothing was changed.",
  },
  migration_misnamed: {
    message: "The migration {file} is misnamed.",
    remedy: 'Create migrations by "npm run database:new NAME".',
  },
  migration_misnumbered: {
    message: "The migration {file} has the wrong number: {expected} is next.",
    remedy: "Rename it.",
  },
  migration_unknown: {
    message: "The database has the migration {migration}, which this checkout of version {release} lacks.",
    remedy: "Deploy a checkout that has it. Nothing was changed.",
  },
  routine_defined_twice: {
    message: "{routine} is defined twice, in {other} and in {file}.",
    remedy: "Remove one.",
  },
  routine_form_unknown: {
    message: "{file} has a statement that does not define a routine: {statement}.",
    remedy:
      'Use "create or replace function, view or trigger", "create constraint trigger" or "create policy", each with its schema; tables belong in a migration.',
  },
  routine_rejected: {
    message: "PostgreSQL rejects {routine} in database/routines/{file}: {cause}.",
    remedy: "Correct the file; nothing was changed.",
  },
  schema_incompatible: {
    message:
      "The database has the schema of version {version}, and this is version {release}, which the schema does not support.",
    remedy: "Deploy version {least} or later. Nothing was changed.",
  },
  schema_newer: {
    message: "The database has the schema of version {version}, and this is version {release}.",
    remedy: "Deploy version {version} or later. Nothing was changed.",
  },
  schema_objects_missing: {
    message: "The database lacks {names}, which the platform's stack creates.",
    remedy: "Run `pulumi refresh`, then `pulumi up`. Nothing was changed.",
  },
  schema_older: {
    message: "The database has the schema of version {version}, and this is version {release}.",
    remedy: "Deploy the platform with this version first. Nothing was changed.",
  },
  schema_tables_busy: {
    message: "The tables of the database stayed in use, so the upgrade could not lock them.",
    remedy: "End long transactions (pg_stat_activity), and deploy again. Nothing was changed.",
  },
});
