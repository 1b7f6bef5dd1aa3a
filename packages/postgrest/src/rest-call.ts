import type pg from "pg";
import * as z from "zod";
import { connectionError, RestError } from "./rest-error.ts";
import { callStatement, findFunction, SCHEMA } from "./rest-function.ts";

/** Supabase's limit for authenticated roles. */
const STATEMENT_TIMEOUT_MS = 8_000;

interface Call {
  name: string;
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

/** Calls a function in its own transaction, with the role and claims of the caller. @throws RestError or pg.DatabaseError */
export async function callFunction(pool: pg.Pool, call: Call): Promise<Result> {
  const client = await pool.connect().catch((cause) => {
    throw connectionError(cause);
  });
  let isOpen = true;
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
    isOpen = false;
    const [row] = resultRow.parse(rows);
    return { body: found.is_void ? undefined : row.body, rows: row.count };
  } finally {
    if (isOpen)
      isOpen = await client.query("rollback").then(
        () => false,
        () => true,
      );
    // A connection with an open transaction must not serve another call.
    client.release(isOpen);
  }
}

/** PostgREST connects as a role that cannot become a superuser. This connection can. */
async function refuseSuperuser(client: pg.ClientBase, role: string): Promise<void> {
  // `set role none` resets the role to that of the connection.
  if (role === "none") throw new RestError(401, "22023", 'role "none" does not exist');
  const privileged = "select from pg_roles where rolname = $1 and (rolsuper or rolcreaterole)";
  const { rowCount } = await client.query(privileged, [role]);
  if (rowCount !== 0) throw new RestError(403, "42501", `permission denied to set role "${role}"`);
}
