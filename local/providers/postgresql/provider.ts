import { type Provider, provider } from "@tenantry/plugin-host";
import pg from "pg";
import { databaseWording } from "#stack/provider/database/wording.ts";
import { config, connect } from "./connection.ts";
import { defaultPrivileges } from "./default-privileges.ts";
import { grant } from "./grant.ts";
import { grantRole } from "./grant-role.ts";
import { role } from "./role.ts";
import { schema } from "./schema.ts";

/** SQLSTATE classes of a connection that is refused: 28, of the user, and 3D, of the database. */
const REFUSED_CONNECTION = /^(28|3D)/;

/** The vendor shows the server's own message. Where the connection itself fails, a remedy is of more use. */
function vendorWording(error: unknown): ReturnType<typeof databaseWording> {
  const isOfStatement = error instanceof pg.DatabaseError && !REFUSED_CONNECTION.test(error.code ?? "");
  return isOfStatement ? { message: `pq: ${error.message}` } : databaseWording(error);
}

/** Stands in for the vendor's plugin `postgresql`, for the kinds the platform deploys. */
export const postgresql: Provider = provider({
  name: "postgresql",
  version: "3.18.1",
  config,
  connect,
  resources: [defaultPrivileges, grant, grantRole, role, schema],
  wording: vendorWording,
});
