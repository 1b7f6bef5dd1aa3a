import pg from "pg";
import * as z from "zod";

const { escapeIdentifier } = pg;

const PRIVILEGE = /^[A-Z]+$/;

/** Privileges such as `SELECT`, in order. */
export const privilegeList = z
  .array(z.string().toUpperCase().regex(PRIVILEGE, "must be a privilege such as SELECT"))
  .transform((privileges) => privileges.toSorted());

/** What privileges are granted on. */
export interface Target {
  database: string;
  schema?: string | undefined;
  objectType: ObjectType;
  /** Empty for all of the type in the schema. */
  objects: readonly string[];
}

export const objectTypes = ["database", "schema", "table", "sequence", "function"] as const;
type ObjectType = (typeof objectTypes)[number];

/** For each type, a query of every object with the privileges of role `$1` on it; the schema is `$2`. */
const QUERIES: Readonly<Record<ObjectType, string>> = {
  database: `select datname as object, datacl as acl, acldefault('d', datdba) as standard from pg_database where datname = $2`,
  schema: `select nspname as object, nspacl as acl, acldefault('n', nspowner) as standard from pg_namespace where nspname = $2`,
  table: `select relname as object, relacl as acl, acldefault('r', relowner) as standard from pg_class
          where relnamespace = to_regnamespace(quote_ident($2)) and relkind in ('r', 'p', 'v', 'm', 'f')`,
  sequence: `select relname as object, relacl as acl, acldefault('s', relowner) as standard from pg_class
             where relnamespace = to_regnamespace(quote_ident($2)) and relkind = 'S'`,
  function: `select proname as object, proacl as acl, acldefault('f', proowner) as standard from pg_proc
             where pronamespace = to_regnamespace(quote_ident($2)) and prokind = 'f'`,
};

/** `ON …` of a GRANT or REVOKE. */
export function on({ database, schema = "", objectType, objects }: Target): string {
  if (objectType === "database") return `ON DATABASE ${escapeIdentifier(database)}`;
  if (objectType === "schema") return `ON SCHEMA ${escapeIdentifier(schema)}`;
  const word = objectType.toUpperCase();
  if (objects.length === 0) return `ON ALL ${word}S IN SCHEMA ${escapeIdentifier(schema)}`;
  const names = objects.map((name) => `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`);
  return `ON ${word} ${names.join(", ")}`;
}

/** A role as a GRANT names it: `public` is a word of its own. */
export function grantee(role: string): string {
  return role.toLowerCase() === "public" ? "PUBLIC" : escapeIdentifier(role);
}

/** The privileges that `role` was granted on each object of the target. */
export async function privilegesOf(pool: pg.Pool, role: string, target: Target): Promise<Map<string, string[]>> {
  const { objectType, database, schema = "", objects } = target;
  const found = await pool.query<{ object: string; privileges: string[] }>(
    `select object, array(
       select privilege_type::text from aclexplode(coalesce(acl, standard))
       where grantee = coalesce((select oid from pg_roles where rolname = $1), 0) order by 1
     ) as privileges from (${QUERIES[objectType]}) listed`,
    [role, objectType === "database" ? database : schema],
  );
  const wanted = found.rows.filter((row) => objects.length === 0 || objects.includes(row.object));
  return new Map(wanted.map((row) => [row.object, row.privileges]));
}
