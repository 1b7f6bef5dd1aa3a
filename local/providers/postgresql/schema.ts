import { resource, UserError } from "@tenantry/plugin-host";
import pg from "pg";
import * as z from "zod";
import { runTransaction } from "#stack/provider/database/pool.ts";
import { databaseExists, databaseOwner, schemaOwner, withRolesGranted } from "./catalog.ts";
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
  policies: [];
}

/** A schema. Import id: `{database}.{name}`. An existing schema is adopted regardless of `ifNotExists`. */
export const schema = resource<Connection, Inputs, Outputs>({
  type: "postgresql:index/schema:Schema",
  inputs,
  replaceOn: ["database"],
  replaceOrder: "delete-first",
  keepsCreated: false,
  removes: "The schema: with `dropCascade` all that is in it, else it is refused while anything is.",
  identity: ({ database, name }) => `${database ?? ""}.${name}`,

  async create(connection, { name, database = connection.database, owner, ifNotExists }) {
    const pool = connection.pool(database);
    await runTransaction(pool, async (client) => {
      const holder = await databaseOwner(client);
      const roles = owner === undefined || owner === holder ? [holder] : [holder, owner];
      const exists = (await schemaOwner(client, name)) !== undefined;
      await withRolesGranted(client, roles, async () => {
        const of = owner === undefined ? "" : escapeIdentifier(owner);
        if (!exists) {
          const words = ["CREATE SCHEMA", ...(ifNotExists ? ["IF NOT EXISTS"] : []), escapeIdentifier(name)];
          await client.query([...words, ...(owner === undefined ? [] : ["AUTHORIZATION", of])].join(" "));
        } else if (owner !== undefined) {
          await client.query(`ALTER SCHEMA ${escapeIdentifier(name)} OWNER TO ${of}`);
        }
      });
    });
    const live = await schemaOwner(pool, name);
    return { id: `${database}.${name}`, outputs: { database, owner: live ?? "", policies: [] } };
  },

  async read(connection, id, known) {
    const [database = "", name = ""] = id.split(".");
    if (name === "") throw new UserError(`'${id}' is not the id of a schema. Use '{database}.{name}'.`);
    if (!(await databaseExists(connection.pool(), database))) return undefined;
    const owner = await schemaOwner(connection.pool(database), name);
    if (owner === undefined) return undefined;
    const declared = known?.inputs ?? inputs.parse({ name, database });
    const now = declared.owner === undefined ? declared : { ...declared, owner };
    return { inputs: now, outputs: { database, owner, policies: [] } };
  },

  async update(connection, _id, { name, database = connection.database, owner }, old) {
    const schema = escapeIdentifier(name);
    await runTransaction(connection.pool(database), async (client) => {
      if (name !== old.inputs.name) {
        await client.query(`ALTER SCHEMA ${escapeIdentifier(old.inputs.name)} RENAME TO ${schema}`);
      }
      if (owner !== undefined && owner !== old.inputs.owner) {
        await client.query(`ALTER SCHEMA ${schema} OWNER TO ${escapeIdentifier(owner)}`);
      }
    });
    return { database, owner: owner ?? old.outputs.owner, policies: [] };
  },

  async delete(connection, _id, { inputs: { name, dropCascade }, outputs: { database, owner } }) {
    await runTransaction(connection.pool(database), async (client) => {
      if ((await schemaOwner(client, name)) === undefined) return;
      await withRolesGranted(client, [owner], async () => {
        await client.query(`DROP SCHEMA ${escapeIdentifier(name)} ${dropCascade ? "CASCADE" : "RESTRICT"}`);
      });
    });
  },
});
