/** One call of a function in a transaction of its own, with the caller's role and claims. */
import type pg from "pg";
import * as z from "zod";
import { RestError } from "./rest-error.ts";
import { callStatement, findFunction, SCHEMA } from "./rest-function.ts";

/** Longest time one call may run, in milliseconds: Supabase's limit for an authenticated role. */
const STATEMENT_TIMEOUT_MS = 8_000;

export interface Call {
  name: string;
  /** The arguments as JSON text, and their names. */
  body: string;
  given: string[];
  role: string;
  claims: unknown;
  method: string;
  path: string;
}

export interface Result {
  /** JSON text; `undefined` when the function returns nothing. */
  body: string | undefined;
  rows: number;
}

const resultRow = z.tuple([z.object({ body: z.string(), count: z.number() })]);

/** @throws RestError or pg.DatabaseError; the transaction is rolled back then */
export async function callFunction(pool: pg.Pool, call: Call): Promise<Result> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query("begin");
    const found = await findFunction(client, call.name, call.given);
    await refuseSuperuser(client, call.role);
    await client.query(
      `select set_config('search_path', '${SCHEMA}', true),
              set_config('statement_timeout', '${STATEMENT_TIMEOUT_MS}', true),
              set_config('request.jwt.claims', $2, true),
              set_config('request.method', $3, true),
              set_config('request.path', $4, true),
              set_config('transaction_read_only', $5, true),
              set_config('role', $1, true)`,
      [
        call.role,
        JSON.stringify(call.claims),
        call.method,
        call.path,
        String(call.method !== "POST" || !found.is_volatile),
      ],
    );
    const { rows } = await client.query(callStatement(call.name, found, call.given), [call.body]);
    await client.query("commit");
    broken = false;
    const [row] = resultRow.parse(rows);
    return { body: found.is_void ? undefined : row.body, rows: row.count };
  } finally {
    // A connection whose transaction cannot be ended must not serve another call.
    if (broken)
      broken = await client.query("rollback").then(
        () => false,
        () => true,
      );
    client.release(broken);
  }
}

/** PostgREST connects as a role that cannot become a superuser; here the connection could. */
async function refuseSuperuser(client: pg.ClientBase, role: string): Promise<void> {
  // To Postgres this is no role's name: it gives the connection its own role back.
  if (role === "none") throw new RestError(401, "22023", 'role "none" does not exist');
  const { rowCount } = await client.query("select from pg_roles where rolname = $1 and (rolsuper or rolcreaterole)", [
    role,
  ]);
  if (rowCount !== 0) throw new RestError(403, "42501", `permission denied to set role "${role}"`);
}
