/** Catalog lookups and locks of the vendor's plugin. */
import { UserError } from "@tenantry/plugin-host";
import pg from "pg";

const { escapeIdentifier } = pg;

type Queryable = Pick<pg.Pool, "query">;

async function queryOne<T>(client: Queryable, statement: string, values: unknown[] = []): Promise<T | undefined> {
  const { rows } = await client.query<{ found: T }>(statement, values);
  return rows[0]?.found;
}

export const PUBLIC = "public";

/**
 * Locks a role and its members until the transaction ends. Like the vendor's plugin it does not lock objects: PostgreSQL refuses
 * concurrent changes of one object's privileges ("tuple concurrently updated").
 */
export async function lockRole(client: Queryable, role: string): Promise<void> {
  await client.query("SET LOCAL statement_timeout = 0");
  await client.query("SELECT pg_advisory_xact_lock(oid::bigint) FROM pg_roles WHERE rolname = $1", [role]);
  await client.query(
    `SELECT pg_advisory_xact_lock(member::bigint)
     FROM pg_auth_members JOIN pg_roles ON roleid = pg_roles.oid WHERE rolname = $1`,
    [role],
  );
}

export async function lockDatabase(client: Queryable, database: string): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock(oid::bigint) FROM pg_database WHERE datname = $1", [database]);
}

export async function databaseExists(client: Queryable, name: string): Promise<boolean> {
  return (
    (await queryOne<number>(client, "SELECT 1 AS found FROM pg_database WHERE datname = $1", [name])) !== undefined
  );
}

async function roleExists(client: Queryable, name: string): Promise<boolean> {
  return (await queryOne<number>(client, "SELECT 1 AS found FROM pg_roles WHERE rolname = $1", [name])) !== undefined;
}

export function schemaOwner(client: Queryable, schema: string): Promise<string | undefined> {
  return queryOne(client, "SELECT pg_get_userbyid(nspowner) AS found FROM pg_namespace WHERE nspname = $1", [schema]);
}

export async function databaseOwner(client: Queryable): Promise<string> {
  const statement = "SELECT pg_get_userbyid(datdba) AS found FROM pg_database WHERE datname = current_database()";
  return (await queryOne<string>(client, statement)) ?? "";
}

/** Returns the owners of a schema and of its tables. @throws UserError without the schema */
export async function ownersIn(client: Queryable, schema: string): Promise<string[]> {
  const owner = await schemaOwner(client, schema);
  if (owner === undefined) throw new UserError(`could not find schema '${schema}' while looking for owner`);
  const { rows } = await client.query<{ tableowner: string }>(
    "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = $1",
    [schema],
  );
  const owners = [...new Set([...rows.map(({ tableowner }) => tableowner), owner])];
  return Promise.all(owners.map((name) => (name === "pg_database_owner" ? databaseOwner(client) : name)));
}

/** Whether database, role and schema exist. Without them the vendor's plugin treats privileges as deleted. */
export async function targetExists(
  { server, database }: { server: Queryable; database: () => Queryable },
  target: { database: string; role: string; schema?: string | undefined },
): Promise<boolean> {
  if (!(await databaseExists(server, target.database))) return false;
  const client = database();
  if (target.role !== PUBLIC && !(await roleExists(client, target.role))) return false;
  return target.schema === undefined || (await schemaOwner(client, target.schema)) !== undefined;
}

async function isSuperuser(client: Queryable, role: string): Promise<boolean> {
  const found = await queryOne<boolean>(client, "SELECT rolsuper AS found FROM pg_roles WHERE rolname = $1", [role]);
  if (found === undefined) throw new UserError(`could not check if role ${role} is superuser: no rows in result set`);
  return found;
}

export async function isUserSuper(client: Queryable): Promise<boolean> {
  const statement = "SELECT rolsuper AS found FROM pg_roles WHERE rolname = CURRENT_USER";
  return (await queryOne<boolean>(client, statement)) ?? false;
}

async function isMember(client: Queryable, member: string, role: string): Promise<boolean> {
  const statement = `SELECT 1 AS found FROM pg_auth_members
    WHERE pg_get_userbyid(roleid) = $1 AND pg_get_userbyid(member) = $2 AND set_option LIMIT 1`;
  return (await queryOne<number>(client, statement, [role, member])) !== undefined;
}

/**
 * Runs `task` with the connected user as a member of `roles`, unless it is a superuser, because members can change what a role owns. A
 * membership in the other direction is revoked meanwhile, because two roles cannot be members of each other.
 */
export async function withRolesGranted(
  client: Queryable,
  roles: readonly string[],
  task: () => Promise<void>,
): Promise<void> {
  if (roles.length === 0 || (await isUserSuper(client))) return task();
  const user = (await queryOne<string>(client, "SELECT CURRENT_USER AS found")) ?? "";
  const granted: string[] = [];
  const revoked: string[] = [];
  const change = (verb: "GRANT" | "REVOKE", role: string, member: string) =>
    client.query(`${verb} ${escapeIdentifier(role)} ${verb === "GRANT" ? "TO" : "FROM"} ${escapeIdentifier(member)}`);
  for (const role of roles) {
    if (role === user || (await isSuperuser(client, role))) continue;
    if (await isMember(client, role, user)) {
      await change("REVOKE", user, role);
      revoked.push(role);
    }
    if (await isMember(client, user, role)) continue;
    await change("GRANT", role, user);
    granted.push(role);
  }
  await task();
  for (const role of granted) if (await isMember(client, user, role)) await change("REVOKE", role, user);
  for (const role of revoked) if (await roleExists(client, role)) await change("GRANT", user, role);
}
