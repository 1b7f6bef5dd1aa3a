/** The database as a kind of caller sees it. */
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { type CallerKind, databaseRoles } from "../callers/roles.ts";
import type { DB } from "../types.ts";
import type { TestDatabase } from "./test-database.ts";

/** Opens a pool whose connections log in as `kind`. */
export function openAs(database: TestDatabase, kind: CallerKind): Kysely<DB> {
  const pool = new pg.Pool({ connectionString: database.urlOf(kind), max: 4 });
  // Connections that are still closing when the server stops fail without a listener.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
}

export interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

/**
 * Runs `work` in a caller's role, in a transaction that is rolled back.
 * @param caller id of the root's dashboard user
 * @param work gets its own statements so far as third argument
 */
export async function asCaller<T>(
  database: TestDatabase,
  { kind, caller = "" }: { kind: CallerKind; caller?: string },
  work: (db: Kysely<DB>, client: pg.Client, statements: Statement[]) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(database.url);
  await client.connect();
  const statements: Statement[] = [];
  const connection = Object.assign(client, { release: () => undefined });
  const pool = { connect: async () => connection, end: async () => undefined };
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: pool as unknown as pg.Pool }),
    log: ({ query: { sql, parameters } }) => void statements.push({ sql, parameters }),
  });
  try {
    await client.query("begin");
    await client.query("select set_config('tenantry.caller', $1, true)", [caller]);
    await client.query(`set local role ${databaseRoles("production")[kind]}`);
    return await work(db, client, statements);
  } finally {
    await client.query("rollback").finally(() => client.end());
  }
}
