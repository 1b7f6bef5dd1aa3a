import { UserError } from "@tenantry/plugin-host";
import pg from "pg";
import * as z from "zod";

const { escapeIdentifier } = pg;

export const privilegeList = z.array(z.string()).transform((privileges) => [...new Set(privileges)].toSorted());

/** Privileges of each type, as in the vendor's plugin. */
const ALLOWED = {
  database: ["CREATE", "CONNECT", "TEMPORARY"],
  table: ["SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER"],
  sequence: ["USAGE", "SELECT", "UPDATE"],
  schema: ["CREATE", "USAGE"],
  function: ["EXECUTE"],
  procedure: ["EXECUTE"],
  routine: ["EXECUTE"],
  type: ["USAGE"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ObjectType = keyof typeof ALLOWED;

/** Server version that introduced `MAINTAIN`. */
const MAINTAIN_SINCE = 170_000;

async function everyPrivilege(client: Pick<pg.Pool, "query">, type: ObjectType): Promise<string[]> {
  if (type !== "table") return [...ALLOWED[type]];
  const { rows } = await client.query<{ version: number }>(
    "SELECT current_setting('server_version_num')::int AS version",
  );
  return [...ALLOWED.table, ...((rows[0]?.version ?? 0) >= MAINTAIN_SINCE ? ["MAINTAIN"] : [])];
}

/** @throws UserError for a privilege that the type lacks; case-sensitive like the vendor's plugin */
export async function checkPrivileges(
  client: Pick<pg.Pool, "query">,
  type: ObjectType,
  privileges: readonly string[],
): Promise<void> {
  const allowed = ["ALL", ...(await everyPrivilege(client, type))];
  const wrong = privileges.find((privilege) => !allowed.includes(privilege));
  if (wrong !== undefined) throw new UserError(`${wrong} is not an allowed privilege for object type ${type}`);
}

/** Whether the granted privileges are the wanted ones; `ALL` is every privilege. */
export async function isGranted(
  client: Pick<pg.Pool, "query">,
  type: ObjectType,
  granted: readonly string[],
  wanted: readonly string[],
): Promise<boolean> {
  const equal = (list: readonly string[]) => [...new Set(granted)].toSorted().join() === list.toSorted().join();
  return equal(wanted) || (wanted.includes("ALL") && equal(await everyPrivilege(client, type)));
}

export interface Target {
  database: string;
  schema?: string | undefined;
  objectType: Exclude<ObjectType, "type">;
  objects: readonly string[];
}

/** Returns `ON …` of a GRANT or REVOKE. A function may have argument types: `name(text, int)`. */
export function onClause({ database, schema = "", objectType, objects }: Target): string {
  if (objectType === "database") return `ON DATABASE ${escapeIdentifier(database)}`;
  if (objectType === "schema") return `ON SCHEMA ${escapeIdentifier(schema)}`;
  const word = objectType.toUpperCase();
  if (objects.length === 0) return `ON ALL ${word}S IN SCHEMA ${escapeIdentifier(schema)}`;
  const names = objects.map((object) => {
    const [name = "", types] = object.split("(");
    return `${escapeIdentifier(schema)}.${escapeIdentifier(name)}${types === undefined ? "" : `(${types}`}`;
  });
  return `ON ${word} ${names.join(",")}`;
}

const ROUTINES = `select proname as object, proacl as acl from pg_proc where pronamespace = to_regnamespace(quote_ident($2))`;

const QUERIES: Readonly<Record<Target["objectType"], string>> = {
  database: `select datname as object, datacl as acl from pg_database where datname = $2`,
  schema: `select nspname as object, nspacl as acl from pg_namespace where nspname = $2`,
  // Like the vendor's plugin, without views and partitioned tables.
  table: `select relname as object, relacl as acl from pg_class
          where relnamespace = to_regnamespace(quote_ident($2)) and relkind = 'r'`,
  sequence: `select relname as object, relacl as acl from pg_class
             where relnamespace = to_regnamespace(quote_ident($2)) and relkind = 'S'`,
  function: ROUTINES,
  procedure: ROUTINES,
  routine: ROUTINES,
};

export async function privilegesOf(pool: pg.Pool, role: string, target: Target): Promise<string[][]> {
  const { objectType, database, schema = "", objects } = target;
  const found = await pool.query<{ object: string; privileges: string[] }>(
    `select object, array(
       select privilege_type::text from aclexplode(acl)
       where grantee = coalesce((select oid from pg_roles where rolname = $1), 0) order by 1
     ) as privileges from (${QUERIES[objectType]}) listed`,
    [role, objectType === "database" ? database : schema],
  );
  return found.rows
    .filter(({ object }) => objects.length === 0 || objects.includes(object))
    .map(({ privileges }) => privileges);
}
