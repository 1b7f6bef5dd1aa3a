import { runMigrations } from "graphile-worker";
import pg from "pg";
import { connectionString } from "../connection/connection-string.ts";
import { openPool } from "../connection/pool.ts";

export interface Queue {
  schema: string;
  role: string;
}

/**
 * Installs or upgrades the queue, and grants the service its rights. Can be repeated, but not concurrently.
 * @param url PostgreSQL URL of the platform's owner
 * @throws Error if the role does not exist
 */
export async function installQueue(url: string, { schema, role }: Queue): Promise<void> {
  const pool = openPool({ connectionString: connectionString(url), max: 1 });
  try {
    await runMigrations({ pgPool: pool, schema });
    const { rows } = await pool.query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = $1::regnamespace and relrowsecurity",
      [schema],
    );
    const name = pg.escapeIdentifier(schema);
    const service = pg.escapeIdentifier(role);
    // graphile-worker enables row-level security without policies, which would hide all rows from the service.
    const opened = rows.map(
      ({ name: table }) => `alter table ${name}.${pg.escapeIdentifier(table)} disable row level security`,
    );
    await pool.query(
      [
        ...opened,
        `grant usage on schema ${name} to ${service}`,
        `grant select, insert, update, delete on all tables in schema ${name} to ${service}`,
        `grant usage on all sequences in schema ${name} to ${service}`,
        `grant execute on all functions in schema ${name} to ${service}`,
      ].join(";"),
    );
  } finally {
    await pool.end();
  }
}
