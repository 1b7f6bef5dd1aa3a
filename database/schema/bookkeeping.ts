/** Tables by which a database knows what was applied to it. They are no part of the schema that `schema.sql` shows. */
import type pg from "pg";

export const BOOKKEEPING_TABLES = ["migrations", "routines", "schema_migrations"] as const;

/** What version 0.1.0 recorded its migrations in. */
export const TABLE_OF_0_1 = "tenantry.schema_migrations";

/** Makes the tables that are missing. Nobody but their owner has any right on them. */
export async function makeBookkeeping(client: Pick<pg.ClientBase, "query">): Promise<void> {
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

/** Whether a table is there. @param name with its schema */
export async function hasTable(client: Pick<pg.ClientBase, "query">, name: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>("select to_regclass($1) is not null as found", [name]);
  return rows[0]?.found === true;
}
