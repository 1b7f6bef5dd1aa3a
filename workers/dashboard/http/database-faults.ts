/** What the database refuses, as callers are told. */
import type { ErrorCode } from "../../contracts/errors.ts";
import { log } from "../../shared/log.ts";
import { Failure } from "./failure.tsx";

/** PostgreSQL's and our own codes (`database/migrations`, "errcode"). */
const CODES: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  "23505": ["conflict", "There is one of that name already; choose another."],
  "23503": ["conflict", "Something that this hangs on, or that hangs on it, is in the way; look again."],
  "23514": ["invalid_request", "A value is outside what is allowed."],
  "23P01": ["conflict", "This overlaps with what is there already."],
  "42501": ["forbidden", "You may not do that, or not with what is another's."],
  "40001": ["conflict", "Someone else changed the same at the same moment; try again."],
  "40P01": ["conflict", "Someone else changed the same at the same moment; try again."],
  "55P03": ["conflict", "Someone else is changing the same; try again in a moment."],
  "57014": ["tenant_unavailable", "The database took too long; try again in a moment."],
};

/** Codes of ours whose messages are written for callers. */
const OWN: Readonly<Record<string, ErrorCode>> = {
  TN001: "conflict",
  TN002: "no_ai_gateway_capacity",
  TN003: "conflict",
  TN005: "conflict",
  TN008: "conflict",
  TN050: "limit_exceeded",
  TN051: "invalid_request",
  TN052: "invalid_request",
};

/** Classes of codes, and those of the connection, for a database that is not there just now. */
const AWAY = /^(08|28|53|57P|ECONN|EPIPE|ENOTFOUND|ETIMEDOUT)/;
const GONE = /^(Connection terminated|timeout expired|Query read timeout|Client has encountered a connection error)/;

/** The failure that a refusal of the database is; the error itself when it is no refusal. */
export function databaseFault(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const own = OWN[code];
  if (own !== undefined) {
    // A limit's refusal tells in its detail after how many seconds there is more.
    const seconds = own === "limit_exceeded" && "detail" in error ? Number(error.detail) : Number.NaN;
    const headers = Number.isFinite(seconds) ? { "retry-after": String(Math.max(1, seconds)) } : undefined;
    return new Failure(own, sentence(error.message), undefined, headers);
  }
  const known = CODES[code];
  if (known !== undefined) return new Failure(...known);
  // Class 22: a text that PostgreSQL cannot hold, a number out of range.
  if (code.startsWith("22")) return new Failure("invalid_request", "A value is none that can be kept.");
  if (AWAY.test(code) || GONE.test(error.message)) {
    log("error", "database.away", { code, reason: error.message });
    return new Failure("tenant_unavailable", "The database does not answer just now; try again in a moment.");
  }
  return error;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
