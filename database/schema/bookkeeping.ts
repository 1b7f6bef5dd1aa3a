/** Tables that record what was applied to a database. `schema.sql` omits them. */
import type pg from "pg";

export type Queryable = Pick<pg.ClientBase, "query">;

export const BOOKKEEPING_TABLES = ["migrations", "routines", "schema_migrations"] as const;

export const TABLE_OF_0_1 = "tenantry.schema_migrations";

export async function makeBookkeeping(client: Queryable): Promise<void> {
  if (await hasTable(client, "tenantry.migrations")) return;
  await client.query(`
    create table tenantry.migrations (
      number text primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    );
    create table tenantry.routines (
      identity text primary key,
      -- Hash of the statement that was executed, and of what the catalog showed after it.
      source_hash text not null,
      catalog_hash text not null
    );
    alter table tenantry.migrations enable row level security;
    alter table tenantry.routines enable row level security`);
}

/** @param name with its schema */
export async function hasTable(client: Queryable, name: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>("select to_regclass($1) is not null as found", [name]);
  return rows[0]?.found === true;
}
