import { ApiError, NoResponseError } from "@tenantry/client/request";
import { errorText } from "#domain/errors/catalogue.ts";
import { interfaceErrors } from "#domain/errors/interface.ts";

type Described = Pick<ApiError, "status" | "code" | "message" | "details"> & Partial<Pick<ApiError, "reason">>;

/** The API rejected the request. The message says what to do. */
export class Refused extends Error {
  override name = "Refused";
  readonly code: string;
  readonly reason: string | undefined;
  readonly status: number;
  readonly details: unknown;

  constructor({ status, code, reason, message, details }: Described) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.status = status;
    this.details = details;
  }
}

/** The login has expired, so the request had no effect. */
export class SessionEnded extends Error {
  override name = "SessionEnded";
  constructor() {
    super(errorText(interfaceErrors.page_session_expired));
  }
}

/** No response, or an invalid one: it is unknown whether a change took effect. */
export class Unanswered extends Error {
  override name = "Unanswered";
  readonly isTimeout: boolean;

  constructor(message: string, { isTimeout = false } = {}) {
    super(message);
    this.isTimeout = isTimeout;
  }
}

/** Returns the fault of a call that failed. */
export function faultOf(error: unknown): unknown {
  if (error instanceof ApiError) {
    return error.code === "authentication_required" ? new SessionEnded() : new Refused(error);
  }
  if (!(error instanceof NoResponseError)) return error;
  const { isTimeout, status } = error;
  const { dashboard_response_late, dashboard_not_reachable, dashboard_status_without_error } = interfaceErrors;
  if (status !== undefined) return new Unanswered(errorText(dashboard_status_without_error, { status }));
  return new Unanswered(errorText(isTimeout ? dashboard_response_late : dashboard_not_reachable), { isTimeout });
}

/** Returns the first fault of each field of an `invalid_request` error. */
export function fieldFaults(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof Refused) || typeof error.details !== "object" || error.details === null) return {};
  return Object.fromEntries(
    Object.entries(error.details).flatMap(([name, faults]): [string, string][] => {
      const first: unknown = Array.isArray(faults) ? faults[0] : faults;
      return typeof first === "string" ? [[name, first]] : [];
    }),
  );
}
