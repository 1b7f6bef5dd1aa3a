/** Maps errors of the database to responses of the dashboard. */
import { type DatabaseFault, type FaultKind, databaseFault as faultOf } from "#database/errors/database-fault.ts";
import type { ErrorCode } from "#domain/errors/codes.ts";
import { log, reasonOf } from "#workers/shared/log.ts";
import { DatabaseAway } from "./connection.ts";
import { Failure } from "./failure.tsx";

/** Other kinds are logged, with the response `internal` and an ID. */
const CODES: Readonly<Partial<Record<FaultKind, ErrorCode>>> = {
  conflict: "conflict",
  invalid: "invalid_request",
  permission: "forbidden",
  retry: "conflict",
  timeout: "tenant_unavailable",
};

/** Error codes for the platform's own SQLSTATEs. */
const STATED: Readonly<Record<string, ErrorCode>> = {
  TN002: "no_ai_gateway_capacity",
  TN009: "forbidden",
  TN030: "no_account_capacity",
  TN050: "limit_exceeded",
  TN051: "invalid_request",
  TN052: "invalid_request",
};

/** Headers of transient failures. */
const SOON = { "retry-after": "5" };

/** Whether the database is unreachable, so that the connection must not be used again. */
export const isAway = (error: unknown): boolean => error instanceof DatabaseAway || isUnreachable(faultOf(error));

const isUnreachable = (fault: DatabaseFault | undefined) =>
  fault?.kind === "unreachable" || fault?.kind === "credentials";

/** Returns the failure for an error of the database; other and unexpected errors are returned unchanged. */
export function databaseFault(error: unknown): unknown {
  if (isAway(error)) return away(error instanceof DatabaseAway ? error.cause : error);
  const fault = faultOf(error);
  if (fault === undefined) return error;
  const { kind, code: state, message } = fault;
  if (kind === "stated") {
    const code = STATED[state] ?? "conflict";
    return new Failure(code, message, undefined, code === "limit_exceeded" ? waiting(error) : {});
  }
  const code = CODES[kind];
  if (code === undefined) return error;
  return new Failure(code, message, undefined, kind === "timeout" ? SOON : {});
}

/** The detail of a rate limit error is the number of seconds to wait. */
function waiting(error: unknown): Record<string, string> {
  const seconds = error instanceof Error && "detail" in error ? Number(error.detail) : Number.NaN;
  return Number.isFinite(seconds) ? { "retry-after": String(Math.max(1, seconds)) } : {};
}

function away(error: unknown): Failure {
  log("error", "database.away", { code: faultOf(error)?.code ?? "", reason: reasonOf(error) });
  return new Failure("tenant_unavailable", "The database is not available. Try again in a moment.", undefined, SOON);
}
