import pg from "pg";

/** An error as PostgREST returns it (PostgREST documentation, "Errors"). */
export class RestError extends Error {
  override name = "RestError";
  readonly status: number;
  readonly code: string;
  readonly #more: { details?: string | null; hint?: string | null };

  constructor(
    status: number,
    code: string,
    message: string,
    more: { details?: string | null; hint?: string | null } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.#more = more;
  }

  response(): Response {
    const { status, code, message } = this;
    const body = { code, message, details: null, hint: null, ...this.#more };
    const headers = new Headers({ "content-type": "application/json; charset=utf-8" });
    if (status === 401)
      headers.set("www-authenticate", code === "PGRST302" ? "Bearer" : 'Bearer error="invalid_token"');
    return new Response(JSON.stringify(body), { status, headers });
  }
}

/** PostgREST's status for a code of Postgres or its class (two characters). Any other code is 400. */
const STATUS: Readonly<Record<string, number>> = {
  "08": 503,
  "09": 500,
  "0L": 403,
  "0P": 403,
  "21000": 500,
  "23503": 409,
  "23505": 409,
  "25": 500,
  "25006": 405,
  "28": 403,
  "2D": 500,
  "38": 500,
  "39": 500,
  "3B": 500,
  "40": 500,
  "42501": 403,
  "42883": 404,
  "42P01": 404,
  "42P17": 500,
  "53": 503,
  "53400": 500,
  "54": 500,
  "55": 500,
  "57": 500,
  "57P01": 503,
  "58": 500,
  F0: 500,
  HV: 500,
  P0: 500,
  P0001: 400,
  XX: 500,
};

/** Returns PostgREST's error for an error of the database or of its connection. */
export function toRestError(cause: unknown): RestError {
  if (cause instanceof RestError) return cause;
  if (cause instanceof pg.DatabaseError && cause.code !== undefined) {
    return new RestError(statusOf(cause.code, cause.message), cause.code, cause.message, {
      details: cause.detail ?? null,
      hint: cause.hint ?? null,
    });
  }
  if (cause instanceof Error && cause.message.startsWith("timeout exceeded when trying to connect")) {
    return new RestError(504, "PGRST003", "Timed out acquiring connection from connection pool.");
  }
  return new RestError(503, "PGRST001", "Database connection error. Retrying the connection.");
}

function statusOf(code: string, message: string): number {
  if (code === "22023" && /^role .* does not exist$/.test(message)) return 401;
  const custom = /^PT([2-5]\d\d)$/.exec(code)?.[1];
  if (custom !== undefined) return Number(custom);
  return STATUS[code] ?? STATUS[code.slice(0, 2)] ?? 400;
}
