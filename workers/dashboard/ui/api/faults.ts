import { errorText } from "#domain/errors/catalogue.ts";
import type { ErrorCode } from "#domain/errors/codes.ts";
import { interfaceErrors } from "#domain/errors/interface.ts";
import { errorBody } from "#workers/contracts/errors.ts";

/** The API rejected the request. The message says what to do. */
export class Refused extends Error {
  override name = "Refused";
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: unknown;

  constructor(status: number, { code, message, details }: typeof errorBody._output.error) {
    super(message);
    this.code = code;
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

/** Returns the error of a response whose status is not a success. */
export async function faultOf(response: Response): Promise<Error> {
  const parsed = errorBody.safeParse(await response.json().catch(() => undefined));
  if (!parsed.success) {
    return new Unanswered(errorText(interfaceErrors.dashboard_status_without_error, { status: response.status }));
  }
  const { error } = parsed.data;
  return error.code === "authentication_required" ? new SessionEnded() : new Refused(response.status, error);
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
