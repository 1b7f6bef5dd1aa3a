import { resource, UserError } from "@tenantry/plugin-host";
import pg from "pg";
import * as z from "zod";
import { runTransaction } from "#stack/provider/database/pool.ts";
import { lockDatabase, lockRole, ownersIn, targetExists, withRolesGranted } from "./catalog.ts";
import type { Connection } from "./connection.ts";
import { checkPrivileges, isGranted, onClause, privilegeList, privilegesOf } from "./privileges.ts";

const { escapeIdentifier } = pg;

const inputs = z.strictObject({
  database: z.string(),
  role: z.string(),
  schema: z.string().optional(),
  objectType: z.enum(["database", "schema", "table", "sequence", "function", "procedure", "routine"]),
  objects: z
    .array(z.string())
    .default([])
    .transform((objects) => [...new Set(objects)].toSorted()),
  privileges: privilegeList,
  withGrantOption: z.boolean().default(false),
});
type Inputs = z.infer<typeof inputs>;

/** Revokes the listed privileges on named objects; otherwise all privileges of the role. */
function revokeGrantSql(given: Inputs): string {
  const named = given.objects.length > 0 && given.privileges.length > 0;
  const privileges = named ? given.privileges.join(",") : "ALL PRIVILEGES";
  return `REVOKE ${privileges} ${onClause(given)} FROM ${escapeIdentifier(given.role)}`;
}

async function changeGrant(connection: Connection, given: Inputs, statements: readonly string[]): Promise<void> {
  const { objectType, database, schema = "" } = given;
  await runTransaction(connection.pool(database), async (client) => {
    await lockRole(client, given.role);
    if (objectType === "database") await lockDatabase(client, database);
    const owners = objectType === "database" ? [] : await ownersIn(client, schema);
    await withRolesGranted(client, owners, async () => {
      for (const statement of statements) await client.query(statement);
    });
  });
}

async function applyGrant(connection: Connection, given: Inputs, before: Inputs): Promise<void> {
  const { objectType, objects, privileges } = given;
  if ((given.schema ?? "") === "" && objectType !== "database") {
    throw new UserError("parameter 'schema' is mandatory for postgresql_grant resource");
  }
  if (objects.length > 0 && (objectType === "database" || objectType === "schema")) {
    throw new UserError("cannot specify `objects` when `object_type` is `database` or `schema`");
  }
  await checkPrivileges(connection.pool(), objectType, privileges);
  const option = given.withGrantOption ? " WITH GRANT OPTION" : "";
  const grants =
    privileges.length === 0
      ? []
      : [`GRANT ${privileges.join(",")} ${onClause(given)} TO ${escapeIdentifier(given.role)}${option}`];
  await changeGrant(connection, given, [revokeGrantSql(before), ...grants]);
}

function idOf({ role, database, schema = "", objectType, objects }: Inputs): string {
  return [role, database, ...(objectType === "database" ? [] : [schema]), objectType, ...objects].join("_");
}

/** Privileges of a role. Like the vendor's, it cannot be imported. */
export const grant = resource<Connection, Inputs, object>({
  type: "postgresql:index/grant:Grant",
  inputs,
  replaceOn: ["database", "role", "schema", "objectType", "objects", "withGrantOption"],
  replaceOrder: "delete-first",
  keepsCreated: false,
  removes:
    "On named objects the listed privileges, also those that another grant gave; without `objects` every privilege of the role on all objects of the type. It fails when one of the objects no longer exists.",
  identity: idOf,

  async create(connection, given) {
    await applyGrant(connection, given, given);
    return { id: idOf(given), outputs: {} };
  },

  async read(connection, _id, known) {
    if (known === undefined)
      throw new UserError("A grant cannot be imported. Declare it, and the next update sets it.");
    const { inputs: given } = known;
    const pool = () => connection.pool(given.database);
    const { schema, ...ofDatabase } = given;
    const target = given.objectType === "database" ? ofDatabase : { ...ofDatabase, schema };
    if (!(await targetExists({ server: connection.pool(), database: pool }, target))) return undefined;
    for (const privileges of await privilegesOf(pool(), given.role, given)) {
      if (!(await isGranted(pool(), given.objectType, privileges, given.privileges))) {
        return { inputs: { ...given, privileges }, outputs: {} };
      }
    }
    return { inputs: given, outputs: {} };
  },

  async update(connection, _id, now, old) {
    await applyGrant(connection, now, old.inputs);
    return {};
  },

  async delete(connection, _id, { inputs: given }) {
    await changeGrant(connection, given, [revokeGrantSql(given)]);
  },
});
