/** Errors as PostgREST answers them (source: PostgREST documentation, "Errors"). */
import pg from "pg";

export interface RestErrorBody {
  code: string;
  message: string;
  details: string | null;
  hint: string | null;
}

/** An error with its HTTP status and body. */
export class RestError extends Error {
  override name = "RestError";
  readonly status: number;
  readonly code: string;
  readonly details: string | null;
  readonly hint: string | null;

  constructor(
    status: number,
    code: string,
    message: string,
    more: { details?: string | null; hint?: string | null } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = more.details ?? null;
    this.hint = more.hint ?? null;
  }

  response(): Response {
    const body: RestErrorBody = { code: this.code, message: this.message, details: this.details, hint: this.hint };
    const headers = new Headers({ "content-type": "application/json; charset=utf-8" });
    if (this.status === 401)
      headers.set("www-authenticate", this.code === "PGRST302" ? "Bearer" : 'Bearer error="invalid_token"');
    return new Response(JSON.stringify(body), { status: this.status, headers });
  }
}

/** Statuses of whole codes, then of classes of codes, as PostgREST maps them; any other is 400. */
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

/** What went wrong in the database or on the way to it, as PostgREST tells it. */
export function databaseError(cause: unknown): RestError {
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
