/** Error responses: a page for browsers, JSON for programs. */
import type { Context } from "hono";
import { type ErrorCode, errorCodes } from "#domain/errors/codes.ts";
import { errorResponse } from "#workers/contracts/errors.ts";
import { log } from "#workers/shared/log.ts";
import { acceptsHtml } from "#workers/shared/page/answer.ts";
import { FailurePage } from "../page/failure-page.tsx";

/** An error response to a request. */
export class Failure extends Error {
  override name = "Failure";
  readonly code: ErrorCode;
  readonly details: unknown;
  /** Such as `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, details?: unknown, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.code = code;
    this.details = details;
    this.headers = headers;
  }
}

/** An `invalid_request` for one part of a request. @param details faults by field */
export const invalidInput = (part: "body" | "path" | "query", details: Readonly<Record<string, string[]>>) =>
  new Failure("invalid_request", `The ${part} has invalid values. See the details.`, details);

/** Returns what a query found. @throws Failure `not_found` if that is nothing, also for rows that the caller has no access to */
export function requireFound<T>(found: T | undefined, what: string): T {
  if (found === undefined) throw new Failure("not_found", `${what} not found.`);
  return found;
}

/** The logged-in user is not a user of the dashboard. */
export class NotAdmitted extends Failure {
  readonly email: string;

  constructor(email: string, message: string) {
    super("access_denied", message);
    this.email = email;
  }
}

/** Returns the failure for an error. Unexpected errors are logged; the response has only their log ID. */
export const failureOf = (error: Error): Failure => (error instanceof Failure ? error : logged(error));

export function failureResponse(error: Error, c: Context): Response | Promise<Response> {
  const failure = failureOf(error);
  const { code, message, details, headers } = failure;
  if (!acceptsHtml(c.req.raw.headers)) return errorResponse(code, message, { details, headers });
  const nonce: string = c.get("secureHeadersNonce") ?? "";
  const user = failure instanceof NotAdmitted ? failure.email : undefined;
  return c.html(
    <FailurePage code={code} message={message} user={user} nonce={nonce} />,
    errorCodes[code].status,
    headers,
  );
}

function logged(error: Error): Failure {
  const id = crypto.randomUUID();
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  log("error", "request.failed", { id, name: error.name, code, reason: error.message });
  return new Failure("internal", `An internal error occurred. The dashboard's log has the details under ${id}.`);
}
