import { resource, UserError } from "@tenantry/plugin-host";
import pg from "pg";
import * as z from "zod";
import { runTransaction } from "#stack/provider/database/pool.ts";
import { lockRole, PUBLIC, targetExists, withRolesGranted } from "./catalog.ts";
import type { Connection } from "./connection.ts";
import { checkPrivileges, isGranted, privilegeList } from "./privileges.ts";

const { escapeIdentifier } = pg;

/** Type codes of `pg_default_acl`. */
const OBJECT_TYPES = { table: "r", sequence: "S", function: "f", routine: "f", type: "T", schema: "n" } as const;

const inputs = z.strictObject({
  database: z.string(),
  owner: z.string(),
  role: z.string(),
  schema: z.string().optional(),
  objectType: z.enum(["table", "sequence", "function", "routine", "type", "schema"]),
  privileges: privilegeList,
  withGrantOption: z.boolean().default(false),
});
type Inputs = z.infer<typeof inputs>;

function idOf({ role, database, schema = "noschema", owner, objectType }: Inputs): string {
  return [role, database, schema, owner, objectType].join("_");
}

async function replacePrivileges(connection: Connection, given: Inputs, privileges: readonly string[]): Promise<void> {
  const { schema, owner, role, objectType, withGrantOption } = given;
  const of = `FOR ROLE ${escapeIdentifier(owner)}${schema === undefined ? "" : ` IN SCHEMA ${escapeIdentifier(schema)}`}`;
  const objects = `ON ${objectType.toUpperCase()}S`;
  const option = withGrantOption ? " WITH GRANT OPTION" : "";
  await runTransaction(connection.pool(given.database), async (client) => {
    await lockRole(client, owner);
    await withRolesGranted(client, [owner], async () => {
      await client.query(`ALTER DEFAULT PRIVILEGES ${of} REVOKE ALL ${objects} FROM ${escapeIdentifier(role)}`);
      if (privileges.length === 0) return;
      await client.query(
        `ALTER DEFAULT PRIVILEGES ${of} GRANT ${privileges.join(",")} ${objects} TO ${escapeIdentifier(role)}${option}`,
      );
    });
  });
}

async function applyDefaultPrivileges(connection: Connection, given: Inputs): Promise<void> {
  if (given.schema !== undefined && given.objectType === "schema") {
    throw new UserError("cannot specify `schema` when `object_type` is `schema`");
  }
  if (given.withGrantOption && given.role.toLowerCase() === PUBLIC) {
    throw new UserError("with_grant_option cannot be true for role 'public'");
  }
  await checkPrivileges(connection.pool(), given.objectType, given.privileges);
  await replacePrivileges(connection, given, given.privileges);
}

/** Privileges on objects that an owner creates later. Like the vendor's, it cannot be imported. */
export const defaultPrivileges = resource<Connection, Inputs, object>({
  type: "postgresql:index/defaultPrivileges:DefaultPrivileges",
  inputs,
  replaceOn: ["database", "owner", "role", "schema", "objectType", "withGrantOption"],
  replaceOrder: "create-first",
  keepsCreated: false,
  removes:
    "Every default privilege of the role for the owner, schema and type, also those that the new resource has just granted for the same ones. It fails when owner, role or schema no longer exists.",
  identity: idOf,

  async create(connection, given) {
    await applyDefaultPrivileges(connection, given);
    return { id: idOf(given), outputs: {} };
  },

  async read(connection, _id, known) {
    if (known === undefined)
      throw new UserError("Default privileges cannot be imported. Declare them, and the next update sets them.");
    const { inputs: given } = known;
    const pool = () => connection.pool(given.database);
    if (!(await targetExists({ server: connection.pool(), database: pool }, given))) return undefined;
    const { rows } = await pool().query<{ privilege: string }>(
      `select e.privilege_type::text as privilege
       from pg_default_acl d, aclexplode(d.defaclacl) e
       where pg_get_userbyid(e.grantor) = $1 and d.defaclobjtype = $3
         and d.defaclnamespace = coalesce((select oid from pg_namespace where nspname = $2), 0)
         and e.grantee = coalesce((select oid from pg_roles where rolname = $4), 0)
       order by 1`,
      [given.owner, given.schema ?? "", OBJECT_TYPES[given.objectType], given.role],
    );
    const privileges = rows.map(({ privilege }) => privilege);
    // Without privileges the resource counts as deleted.
    if (privileges.length === 0 && given.privileges.length > 0) return undefined;
    const same = await isGranted(pool(), given.objectType, privileges, given.privileges);
    return { inputs: same ? given : { ...given, privileges }, outputs: {} };
  },

  async update(connection, _id, now) {
    await applyDefaultPrivileges(connection, now);
    return {};
  },

  async delete(connection, _id, { inputs: given }) {
    await replacePrivileges(connection, given, []);
  },
});
