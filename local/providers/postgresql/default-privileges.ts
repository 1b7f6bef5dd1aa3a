import pg from "pg";
import * as z from "zod";
import { UserError } from "../../../plugin-host/errors.ts";
import { resource } from "../../../plugin-host/resource.ts";
import { catalogChange } from "./catalog-change.ts";
import type { Connection } from "./connection.ts";
import { grantee, privilegeList } from "./privileges.ts";

const { escapeIdentifier } = pg;

/** How `pg_default_acl` names the types. */
const OBJECT_TYPES = { table: "r", sequence: "S", function: "f" } as const;

const inputs = z.strictObject({
  database: z.string(),
  owner: z.string(),
  role: z.string(),
  schema: z.string(),
  objectType: z.enum(["table", "sequence", "function"]),
  privileges: privilegeList,
  withGrantOption: z.literal(false).default(false),
});
type Inputs = z.infer<typeof inputs>;

function idOf({ role, database, schema, owner, objectType }: Inputs): string {
  return [role, database, schema, owner, objectType].join("_");
}

async function apply(connection: Connection, given: Inputs, privileges: readonly string[]): Promise<void> {
  const owned = `FOR ROLE ${escapeIdentifier(given.owner)} IN SCHEMA ${escapeIdentifier(given.schema)}`;
  const objects = `ON ${given.objectType.toUpperCase()}S`;
  await catalogChange(connection.pool(given.database), async (client) => {
    await client.query(`ALTER DEFAULT PRIVILEGES ${owned} REVOKE ALL ${objects} FROM ${grantee(given.role)}`);
    if (privileges.length === 0) return;
    await client.query(
      `ALTER DEFAULT PRIVILEGES ${owned} GRANT ${privileges.join(", ")} ${objects} TO ${grantee(given.role)}`,
    );
  });
}

/** Privileges that a role gets on what an owner makes later. The vendor's plugin cannot import them either. */
export const defaultPrivileges = resource<Connection, Inputs, object>({
  type: "postgresql:index/defaultPrivileges:DefaultPrivileges",
  inputs,
  replaceOn: ["database", "owner", "role", "schema", "objectType"],
  identity: idOf,

  async create(connection, given) {
    await apply(connection, given, given.privileges);
    return { id: idOf(given), outputs: {} };
  },

  async read(connection, _id, known) {
    if (known === undefined)
      throw new UserError("Default privileges cannot be imported: declare them, and they are set.");
    const { inputs: given } = known;
    const { rows } = await connection.pool(given.database).query<{ privilege: string }>(
      `select e.privilege_type::text as privilege
       from pg_default_acl d, aclexplode(d.defaclacl) e
       where d.defaclrole = $1::regrole and d.defaclnamespace = $2::regnamespace and d.defaclobjtype = $3
         and e.grantee = coalesce((select oid from pg_roles where rolname = $4), 0)
       order by 1`,
      [escapeIdentifier(given.owner), escapeIdentifier(given.schema), OBJECT_TYPES[given.objectType], given.role],
    );
    return { inputs: { ...given, privileges: rows.map(({ privilege }) => privilege) }, outputs: {} };
  },

  async update(connection, _id, now) {
    await apply(connection, now, now.privileges);
    return {};
  },

  async delete(connection, _id, { inputs: given }) {
    await apply(connection, given, []);
  },
});
