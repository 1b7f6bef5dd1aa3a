import { resource, UserError } from "@tenantry/plugin-host";
import pg from "pg";
import * as z from "zod";
import { runTransaction } from "#stack/provider/database/pool.ts";
import { isUserSuper, lockRole, withRolesGranted } from "./catalog.ts";
import type { Connection } from "./connection.ts";

const { escapeIdentifier } = pg;

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
  connectionLimit: z.int().min(-1).default(-1),
  encryptedPassword: z.boolean().default(true),
  // An empty list equals none.
  roles: z
    .array(z.string())
    .transform((roles) => normalizeRoles(roles))
    .optional(),
  skipDropRole: z.boolean().default(false),
  skipReassignOwned: z.boolean().default(false),
});
type Inputs = z.infer<typeof inputs>;

function normalizeRoles(roles: readonly string[]): string[] | undefined {
  return roles.length === 0 ? undefined : [...new Set(roles)].toSorted();
}

/** Keyword of each role option; with prefix `NO` when it is off. */
const OPTIONS = {
  login: "LOGIN",
  inherit: "INHERIT",
  superuser: "SUPERUSER",
  createDatabase: "CREATEDB",
  createRole: "CREATEROLE",
  replication: "REPLICATION",
  bypassRowLevelSecurity: "BYPASSRLS",
} as const;

const liveRole = inputs
  .pick({
    ...{ login: true, inherit: true, superuser: true, createDatabase: true, createRole: true, replication: true },
    ...{ bypassRowLevelSecurity: true, connectionLimit: true },
  })
  .extend({ roles: z.array(z.string()).transform((roles) => normalizeRoles(roles)) });

async function readRole(pool: pg.Pool, name: string) {
  const found = await pool.query(
    `select rolcanlogin as login, rolinherit as inherit, rolsuper as superuser, rolcreatedb as "createDatabase",
            rolcreaterole as "createRole", rolreplication as replication, rolbypassrls as "bypassRowLevelSecurity",
            rolconnlimit as "connectionLimit",
            array(select pg_get_userbyid(roleid)::text from pg_auth_members where member = pg_roles.oid) as roles
     from pg_roles where rolname = $1`,
    [name],
  );
  return found.rows.length === 0 ? undefined : liveRole.parse(found.rows[0]);
}

/** Returns the password of the state; for a superuser an empty one if the server has none. */
async function livePassword(connection: Connection, { name, login, password }: Inputs): Promise<string | undefined> {
  if (password === undefined || !login || !connection.superuser) return password;
  const pool = connection.pool();
  if (!(await isUserSuper(pool))) {
    throw new UserError(
      `could not read role password from Postgres as connected user ${connection.user} is not a SUPERUSER. You can set \`superuser = false\` in the provider configuration so it will not try to read the password from Postgres`,
    );
  }
  const { rows } = await pool.query<{ set: boolean }>(
    "select passwd is not null as set from pg_shadow where usename = $1",
    [name],
  );
  return rows[0]?.set === true ? password : "";
}

/** Doubles backslashes like the vendor's plugin. */
const quoteLiteral = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;

function roleOptions(given: Inputs, before?: Inputs): string[] {
  const words = Object.entries(OPTIONS).flatMap(([name, word]) => {
    const on = given[name as keyof typeof OPTIONS];
    if (on === before?.[name as keyof typeof OPTIONS]) return [];
    return on ? word : `NO${word}`;
  });
  const limit = given.connectionLimit === before?.connectionLimit ? [] : [`CONNECTION LIMIT ${given.connectionLimit}`];
  return [...limit, ...words];
}

function passwordOf({ password = "", encryptedPassword }: Inputs): string[] {
  if (password === "") return [];
  if (password.toUpperCase() === "NULL") return ["PASSWORD NULL"];
  return [`${encryptedPassword ? "" : "UN"}ENCRYPTED PASSWORD ${quoteLiteral(password)}`];
}

async function grantRoles(client: pg.PoolClient, { name, roles = [] }: Inputs): Promise<void> {
  for (const role of roles) await client.query(`GRANT ${escapeIdentifier(role)} TO ${escapeIdentifier(name)}`);
  await client.query(`ALTER ROLE ${escapeIdentifier(name)} SET search_path TO DEFAULT`);
}

/** A role of the server. Import id: its name. Existing roles are not adopted. */
export const role = resource<Connection, Inputs, object>({
  type: "postgresql:index/role:Role",
  inputs,
  keepsCreated: false,
  removes:
    "The role, what it was granted and what others were granted by it, and its memberships. What it owns passes to the connected user. It fails when the role no longer exists.",
  identity: ({ name }) => name,

  async create(connection, given) {
    const words = [...passwordOf(given), "VALID UNTIL 'infinity'", ...roleOptions(given)];
    await runTransaction(connection.pool(), async (client) => {
      await client.query(`CREATE ROLE ${escapeIdentifier(given.name)} WITH ${words.join(" ")}`);
      await grantRoles(client, given);
    });
    return { id: given.name, outputs: {} };
  },

  async read(connection, id, known) {
    const live = await readRole(connection.pool(), id);
    if (live === undefined) return undefined;
    const declared = known?.inputs ?? inputs.parse({ name: id });
    const password = await livePassword(connection, { ...declared, ...live });
    return {
      inputs: { ...declared, ...live, encryptedPassword: true, ...(password !== undefined && { password }) },
      outputs: {},
    };
  },

  /** Every update resets memberships to the declared ones, so those of a `GrantRole` or a statement are lost. */
  async update(connection, _id, now, { inputs: old }) {
    const name = escapeIdentifier(now.name);
    await runTransaction(connection.pool(), async (client) => {
      await lockRole(client, old.name);
      if (now.name !== old.name) await client.query(`ALTER ROLE ${escapeIdentifier(old.name)} RENAME TO ${name}`);
      if ((now.password !== old.password || now.name !== old.name) && (now.password ?? "") !== "") {
        await client.query(`ALTER ROLE ${name} PASSWORD ${quoteLiteral(now.password ?? "")}`);
      }
      const words = roleOptions(now, old);
      if (words.length > 0) await client.query(`ALTER ROLE ${name} WITH ${words.join(" ")}`);
      const { rows } = await client.query<{ role: string }>(
        `select pg_get_userbyid(roleid)::text as role from pg_auth_members m join pg_roles r on m.member = r.oid
         where r.rolname = $1`,
        [now.name],
      );
      for (const { role } of rows) await client.query(`REVOKE ${escapeIdentifier(role)} FROM ${name}`);
      await grantRoles(client, now);
    });
    return {};
  },

  async delete(connection, _id, { inputs: given }) {
    const name = escapeIdentifier(given.name);
    await runTransaction(connection.pool(), async (client) => {
      await lockRole(client, given.name);
      if (!given.skipReassignOwned) {
        await withRolesGranted(client, [given.name], async () => {
          await client.query(`REASSIGN OWNED BY ${name} TO ${escapeIdentifier(connection.user)}`);
          await client.query(`DROP OWNED BY ${name}`);
        });
      }
      if (!given.skipDropRole) await client.query(`DROP ROLE ${name}`);
    });
  },
});
