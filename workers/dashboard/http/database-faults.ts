/** Maps errors of the database to responses of the dashboard. */
import { type DatabaseFault, databaseFault as faultOf } from "#database/errors/database-fault.ts";
import { serviceErrors } from "#domain/errors/api/service.ts";
import { log, reasonOf } from "#workers/shared/log.ts";
import { DatabaseAway } from "./connection.ts";
import { Failure, failure } from "./failure.tsx";

/** Headers of transient failures. */
const SOON = { "retry-after": "5" };

/** Whether the database is unreachable, so that the connection must not be used again. */
export const isAway = (error: unknown): boolean => error instanceof DatabaseAway || isUnreachable(faultOf(error));

/** Whether a new connection can succeed where this one failed. */
export const isLost = (error: unknown): boolean =>
  faultOf(error instanceof DatabaseAway ? error.cause : error)?.kind === "unreachable";

const isUnreachable = (fault: DatabaseFault | undefined) =>
  fault?.kind === "unreachable" || fault?.kind === "credentials";

/**
 * Returns the failure for an error of the database; other and unexpected errors are returned unchanged.
 *
 * @param of.isChange whether the error is of the commit of a change
 */
export function databaseFault(error: unknown, { isChange = false }: { isChange?: boolean } = {}): unknown {
  if (isAway(error)) return away(error instanceof DatabaseAway ? error.cause : error, isChange);
  const fault = faultOf(error);
  if (fault === undefined) return error;
  const { kind, error: explained } = fault;
  const { code, reason, message } = explained;
  if (code === undefined || kind === "unexpected") return error;
  const headers = kind === "timeout" ? SOON : code === "limit_exceeded" ? waiting(error) : {};
  return new Failure({ code, reason, message }, { headers });
}

/** The detail of a rate limit error is the number of seconds to wait. */
function waiting(error: unknown): Record<string, string> {
  const seconds = error instanceof Error && "detail" in error ? Number(error.detail) : Number.NaN;
  return Number.isFinite(seconds) ? { "retry-after": String(Math.max(1, seconds)) } : {};
}

function away(error: unknown, isChange: boolean): Failure {
  log("error", "database.away", { code: faultOf(error)?.state ?? "", reason: reasonOf(error) });
  return failure(
    isChange ? serviceErrors.change_not_confirmed : serviceErrors.database_not_available,
    {},
    { headers: SOON },
  );
}
