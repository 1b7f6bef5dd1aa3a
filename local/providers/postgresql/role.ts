import pg from "pg";
import * as z from "zod";
import { resource } from "../../../plugin-host/resource.ts";
import { catalogChange } from "./catalog-change.ts";
import type { Connection } from "./connection.ts";

const { escapeIdentifier, escapeLiteral } = pg;

const inputs = z.strictObject({
  name: z.string().min(1),
  login: z.boolean().default(false),
  password: z.string().optional(),
  inherit: z.boolean().default(true),
  superuser: z.boolean().default(false),
  createDatabase: z.boolean().default(false),
  createRole: z.boolean().default(false),
  replication: z.boolean().default(false),
  bypassRowLevelSecurity: z.boolean().default(false),
  connectionLimit: z.int().default(-1),
  encryptedPassword: z.boolean().default(true),
  skipDropRole: z.boolean().default(false),
  skipReassignOwned: z.boolean().default(false),
});
type Inputs = z.infer<typeof inputs>;

/** Inputs that are options of the role, and the word for each; `NO` before it says that it is off. */
const OPTIONS = {
  login: "LOGIN",
  inherit: "INHERIT",
  superuser: "SUPERUSER",
  createDatabase: "CREATEDB",
  createRole: "CREATEROLE",
  replication: "REPLICATION",
  bypassRowLevelSecurity: "BYPASSRLS",
} as const;

const liveRole = z.object({
  login: z.boolean(),
  inherit: z.boolean(),
  superuser: z.boolean(),
  createDatabase: z.boolean(),
  createRole: z.boolean(),
  replication: z.boolean(),
  bypassRowLevelSecurity: z.boolean(),
  connectionLimit: z.number(),
});

async function read(pool: pg.Pool, name: string) {
  const found = await pool.query(
    `select rolcanlogin as login, rolinherit as inherit, rolsuper as superuser, rolcreatedb as "createDatabase",
            rolcreaterole as "createRole", rolreplication as replication, rolbypassrls as "bypassRowLevelSecurity",
            rolconnlimit as "connectionLimit" from pg_roles where rolname = $1`,
    [name],
  );
  return found.rows.length === 0 ? undefined : liveRole.parse(found.rows[0]);
}

function options(given: Inputs, before: Partial<Inputs>): string {
  const words = Object.entries(OPTIONS)
    .map(([name, word]) => ({
      on: given[name as keyof typeof OPTIONS],
      was: before[name as keyof typeof OPTIONS],
      word,
    }))
    .filter(({ on, was }) => on !== was)
    .map(({ on, word }) => (on ? word : `NO${word}`));
  const password = given.password === undefined ? "NULL" : escapeLiteral(given.password);
  return [...words, `CONNECTION LIMIT ${given.connectionLimit}`, `PASSWORD ${password}`].join(" ");
}

/** A role of the server; import id: its name. */
export const role = resource<Connection, Inputs, object>({
  type: "postgresql:index/role:Role",
  inputs,
  replaceOn: ["name"],
  identity: ({ name }) => name,

  async create(connection, given) {
    const pool = connection.pool();
    const live = await read(pool, given.name);
    const verb = live === undefined ? "CREATE" : "ALTER";
    await pool.query(`${verb} ROLE ${escapeIdentifier(given.name)} WITH ${options(given, live ?? {})}`);
    return { id: given.name, outputs: {} };
  },

  async read(connection, id, known) {
    const live = await read(connection.pool(), id);
    if (live === undefined) return undefined;
    return { inputs: { ...(known?.inputs ?? inputs.parse({ name: id })), ...live }, outputs: {} };
  },

  async update(connection, _id, now, old) {
    await connection.pool().query(`ALTER ROLE ${escapeIdentifier(now.name)} WITH ${options(now, old.inputs)}`);
    return {};
  },

  async delete(connection, id, { inputs: given }) {
    const pool = connection.pool();
    if (given.skipDropRole || (await read(pool, id)) === undefined) return;
    const name = escapeIdentifier(id);
    await catalogChange(pool, async (client) => {
      if (!given.skipReassignOwned) await client.query(`REASSIGN OWNED BY ${name} TO CURRENT_USER`);
      // Takes back what the role was granted, which would keep it from being dropped.
      await client.query(`DROP OWNED BY ${name}`);
      await client.query(`DROP ROLE ${name}`);
    });
  },
});
