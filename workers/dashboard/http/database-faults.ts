/** What the database refuses, as callers are told. */
import type { ErrorCode } from "../../contracts/errors.ts";
import { log, reasonOf } from "../../shared/log.ts";
import { DatabaseAway } from "./connection.ts";
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

/** Sent with every failure that passes by itself. */
const SOON = { "retry-after": "5" };

/** Codes of ours whose messages are written for callers. */
const OWN: Readonly<Record<string, ErrorCode>> = {
  TN001: "conflict",
  TN002: "no_ai_gateway_capacity",
  TN003: "conflict",
  TN005: "conflict",
  TN008: "conflict",
  TN009: "forbidden",
  TN030: "no_account_capacity",
  TN050: "limit_exceeded",
  TN051: "invalid_request",
  TN052: "invalid_request",
};

/** Some messages begin with their code, which runs of the engine go by. */
const NAMED = /^no_\w+_capacity: /;

/** Classes of codes, and those of the connection, for a database that is not there just now. */
const AWAY = /^(08|28|53|57P|ECONN|EPIPE|ENOTFOUND|ETIMEDOUT)/;
const GONE =
  /^(Connection terminated|Network connection lost|timeout expired|Query read timeout|Client has encountered a connection error)/;

/** Whether an error says that the database is not there just now: its connection is of no use any more, and may say nothing ever again. */
export function isAway(error: unknown): boolean {
  if (error instanceof DatabaseAway) return true;
  return error instanceof Error && (AWAY.test(codeOf(error)) || GONE.test(error.message));
}

/** The failure that a refusal of the database is; the error itself when it is no refusal. */
export function databaseFault(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (isAway(error)) return away(error instanceof DatabaseAway ? error.cause : error);
  const code = codeOf(error);
  const own = OWN[code];
  if (own !== undefined) {
    // A limit's refusal tells in its detail after how many seconds there is more.
    const seconds = own === "limit_exceeded" && "detail" in error ? Number(error.detail) : Number.NaN;
    const headers = Number.isFinite(seconds) ? { "retry-after": String(Math.max(1, seconds)) } : undefined;
    return new Failure(own, sentence(error.message.replace(NAMED, "")), undefined, headers);
  }
  const known = CODES[code];
  if (known !== undefined) {
    const [code, message] = known;
    return new Failure(code, message, undefined, code === "tenant_unavailable" ? SOON : {});
  }
  // Class 22: a text that PostgreSQL cannot hold, a number out of range.
  if (code.startsWith("22")) return new Failure("invalid_request", "A value is none that can be kept.");
  return error;
}

const codeOf = (error: Error) => ("code" in error && typeof error.code === "string" ? error.code : "");

function away(error: unknown): Failure {
  log("error", "database.away", { code: error instanceof Error ? codeOf(error) : "", reason: reasonOf(error) });
  const message = "The database does not answer just now; try again in a moment.";
  return new Failure("tenant_unavailable", message, undefined, SOON);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
