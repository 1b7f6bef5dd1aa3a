/** The automation service's queue, graphile-worker's, in a schema of its own. */
import { runMigrations } from "graphile-worker";
import pg from "pg";
import { connectionString } from "../connection/connection-string.ts";
import { openPool } from "../connection/pool.ts";

export interface Queue {
  schema: string;
  /** Role of the service that works it off. */
  role: string;
}

/**
 * Installs or updates the queue and opens it to its service. Safe to call again, not at once with itself.
 *
 * @param url PostgreSQL URL of the platform's owner
 * @throws Error when the role does not exist
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
    const to = pg.escapeIdentifier(role);
    // Its tables are closed to all but their owner by row-level security without policies: rights alone shall decide.
    const opened = rows.map(
      ({ name: table }) => `alter table ${name}.${pg.escapeIdentifier(table)} disable row level security`,
    );
    await pool.query(
      [
        ...opened,
        `grant usage on schema ${name} to ${to}`,
        `grant select, insert, update, delete on all tables in schema ${name} to ${to}`,
        `grant usage on all sequences in schema ${name} to ${to}`,
        `grant execute on all functions in schema ${name} to ${to}`,
      ].join(";"),
    );
  } finally {
    await pool.end();
  }
}
