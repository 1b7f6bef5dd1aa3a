import { type Provider, provider } from "@tenantry/plugin-host";
import pg from "pg";
import { databaseWording } from "#stack/provider/database/wording.ts";
import { config, connectPostgres } from "./connection.ts";
import { defaultPrivileges } from "./default-privileges.ts";
import { grant } from "./grant.ts";
import { grantRole } from "./grant-role.ts";
import { role } from "./role.ts";
import { schema } from "./schema.ts";

/** SQLSTATE classes 28 (user) and 3D (database). */
const REFUSED_CONNECTION = /^(28|3D)/;

/** The vendor's plugin shows the server's message. For a failed connection, a remedy is more useful. */
function vendorWording(error: unknown): ReturnType<typeof databaseWording> {
  const isStatementError = error instanceof pg.DatabaseError && !REFUSED_CONNECTION.test(error.code ?? "");
  return isStatementError ? { message: `pq: ${error.message}` } : databaseWording(error);
}

/** Stand-in for the vendor's plugin, with the resource types that the platform uses. */
export const postgresql: Provider = provider({
  name: "postgresql",
  version: "3.18.1",
  config,
  connect: connectPostgres,
  resources: [defaultPrivileges, grant, grantRole, role, schema],
  wording: vendorWording,
});
