import pg from "pg";
import * as z from "zod";
import { UserError } from "../../../plugin-host/errors.ts";
import { resource } from "../../../plugin-host/resource.ts";
import { catalogChange } from "./catalog-change.ts";
import type { Connection } from "./connection.ts";

const { escapeIdentifier } = pg;

const inputs = z.strictObject({
  name: z.string().min(1),
  database: z.string().optional(),
  owner: z.string().optional(),
  ifNotExists: z.boolean().default(true),
  dropCascade: z.boolean().default(false),
});
type Inputs = z.infer<typeof inputs>;

interface Outputs {
  database: string;
  owner: string;
  /** The vendor's plugin knows grants by this name too; none is declared here. */
  policies: [];
}

async function ownerOf(pool: pg.Pool, name: string): Promise<string | undefined> {
  const found = await pool.query<{ owner: string }>(
    "select pg_get_userbyid(nspowner) as owner from pg_namespace where nspname = $1",
    [name],
  );
  return found.rows[0]?.owner;
}

/** A schema; import id: `{database}.{name}`. */
export const schema = resource<Connection, Inputs, Outputs>({
  type: "postgresql:index/schema:Schema",
  inputs,
  replaceOn: ["name", "database"],
  identity: ({ database, name }) => `${database ?? ""}.${name}`,

  async create(connection, { name, database = connection.database, owner, ifNotExists }) {
    const pool = connection.pool(database);
    const authorization = owner === undefined ? "" : `AUTHORIZATION ${escapeIdentifier(owner)}`;
    await pool.query(`CREATE SCHEMA ${ifNotExists ? "IF NOT EXISTS" : ""} ${escapeIdentifier(name)} ${authorization}`);
    const live = await ownerOf(pool, name);
    return { id: `${database}.${name}`, outputs: { database, owner: live ?? "", policies: [] } };
  },

  async read(connection, id, known) {
    const [database = "", name = ""] = id.split(".");
    if (name === "") throw new UserError(`'${id}' is not an id of a schema; it reads '{database}.{name}'.`);
    const owner = await ownerOf(connection.pool(database), name);
    if (owner === undefined) return undefined;
    const declared = known?.inputs ?? inputs.parse({ name, database });
    const now = declared.owner === undefined ? declared : { ...declared, owner };
    return { inputs: now, outputs: { database, owner, policies: [] } };
  },

  async update(connection, _id, { name, database = connection.database, owner }, old) {
    if (owner === undefined) return old.outputs;
    await connection.pool(database).query(`ALTER SCHEMA ${escapeIdentifier(name)} OWNER TO ${escapeIdentifier(owner)}`);
    return { database, owner, policies: [] };
  },

  async delete(connection, _id, { inputs: { name, dropCascade }, outputs: { database } }) {
    const cascade = dropCascade ? "CASCADE" : "";
    // A role that is dropped meanwhile would look for its things among those that go here.
    await catalogChange(connection.pool(database), async (client) => {
      await client.query(`DROP SCHEMA IF EXISTS ${escapeIdentifier(name)} ${cascade}`);
    });
  },
});
