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

/** Codes of Postgres and their classes (two characters) by PostgREST's status. Any other code is 400. */
const CODES: Readonly<Record<number, readonly string[]>> = {
  400: ["P0001"],
  403: ["0L", "0P", "28", "42501"],
  404: ["42883", "42P01"],
  405: ["25006"],
  409: ["23503", "23505"],
  500: [
    "09",
    "21000",
    "25",
    "2D",
    "38",
    "39",
    "3B",
    "40",
    "42P17",
    "53400",
    "54",
    "55",
    "57",
    "58",
    "F0",
    "HV",
    "P0",
    "XX",
  ],
  503: ["08", "53", "57P01"],
};
const STATUS = new Map(
  Object.entries(CODES).flatMap(([status, codes]) => codes.map((code) => [code, Number(status)] as const)),
);

/** Returns PostgREST's error for an error of the database or of its connection. */
export function toRestError(cause: unknown): RestError {
  if (cause instanceof RestError) return cause;
  if (cause instanceof pg.DatabaseError && cause.code !== undefined) {
    return new RestError(statusOf(cause.code, cause.message), cause.code, cause.message, {
      details: cause.detail ?? null,
      hint: cause.hint ?? null,
    });
  }
  return connectionError(cause);
}

/** Returns PostgREST's error for a failure to connect, whatever the database answered. */
export function connectionError(cause: unknown): RestError {
  if (cause instanceof Error && cause.message.startsWith("timeout exceeded when trying to connect")) {
    return new RestError(504, "PGRST003", "Timed out acquiring connection from connection pool.");
  }
  return new RestError(503, "PGRST001", "Database connection error. Retrying the connection.");
}

function statusOf(code: string, message: string): number {
  if (code === "22023" && /^role .* does not exist$/.test(message)) return 401;
  const custom = /^PT([2-5]\d\d)$/.exec(code)?.[1];
  if (custom !== undefined) return Number(custom);
  return STATUS.get(code) ?? STATUS.get(code.slice(0, 2)) ?? 400;
}
