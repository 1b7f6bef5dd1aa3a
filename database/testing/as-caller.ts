/** The database as one kind of caller sees it. */
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { type CallerKind, databaseRoles } from "../callers/roles.ts";
import type { DB } from "../types.ts";
import type { TestDatabase } from "./test-database.ts";

/** A pool of connections that are logged in as `kind`. */
export function openAs(database: TestDatabase, kind: CallerKind): Kysely<DB> {
  const pool = new pg.Pool({ connectionString: database.urlOf(kind), max: 4 });
  // Connections that still close when the server stops end with an error nobody waits for.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
}

export interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

/**
 * Runs `work` in a transaction of its own in the role of a caller, which leaves nothing behind.
 *
 * @param caller the dashboard user in whose name a root asks
 * @param work is given what it has asked so far
 */
export async function asCaller<T>(
  database: TestDatabase,
  { kind, caller = "" }: { kind: CallerKind; caller?: string },
  work: (db: Kysely<DB>, client: pg.Client, asked: Statement[]) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(database.url);
  await client.connect();
  const asked: Statement[] = [];
  const one = Object.assign(client, { release: () => undefined });
  const pool = { connect: async () => one, end: async () => undefined };
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: pool as unknown as pg.Pool }),
    log: ({ query: { sql, parameters } }) => void asked.push({ sql, parameters }),
  });
  try {
    await client.query("begin");
    await client.query("select set_config('tenantry.caller', $1, true)", [caller]);
    await client.query(`set local role ${databaseRoles("production")[kind]}`);
    return await work(db, client, asked);
  } finally {
    await client.query("rollback").finally(() => client.end());
  }
}
