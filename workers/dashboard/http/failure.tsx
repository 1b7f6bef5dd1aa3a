/** Error responses: a page for browsers, JSON for programs. */
import type { Context } from "hono";
import { CONSOLE_PATH } from "#domain/access/access-addresses.ts";
import { requestErrors } from "#domain/errors/api/requests.ts";
import { serviceErrors } from "#domain/errors/api/service.ts";
import type { ValuesArgument } from "#domain/errors/catalogue.ts";
import { type ErrorCode, errorCodes } from "#domain/errors/codes.ts";
import { type HttpError, type StatedArguments, type StatedError, stateError } from "#domain/errors/stated.ts";
import { type ResponseOptions, statedResponse } from "#workers/contracts/errors.ts";
import { log } from "#workers/shared/log.ts";
import { acceptsHtml } from "#workers/shared/page/answer.ts";
import { FailurePage } from "../page/failure-page.tsx";

/** An error response to a request. */
export class Failure extends Error implements StatedError {
  override name = "Failure";
  readonly code: ErrorCode;
  readonly reason: string;
  readonly details: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor({ code, reason, message }: StatedError, { details, headers = {} }: ResponseOptions = {}) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.details = details;
    this.headers = headers;
  }
}

/** Returns the failure for an error of the catalogue. */
export const failure = <E extends HttpError>(
  entry: E,
  ...[values, options]: StatedArguments<E, ResponseOptions>
): Failure => new Failure(stateError(entry, ...([values] as ValuesArgument<E>)), options);

/** An `invalid_request` for one part of a request. @param details faults by field */
export const invalidInput = (part: "body" | "path" | "query", details: Readonly<Record<string, string[]>>) =>
  failure(requestErrors.invalid_values, { part }, { details });

/** Returns what a query found. @throws Failure if that is nothing, also for rows that the caller has no access to */
export function requireFound<T>(found: T | undefined, notFound: HttpError & { readonly code: "not_found" }): T {
  if (found === undefined) throw failure(notFound);
  return found;
}

/** The logged-in user is not a user of the dashboard. */
export class NotAdmitted extends Failure {
  readonly email: string;

  constructor(email: string, stated: StatedError) {
    super(stated);
    this.email = email;
  }
}

/** Returns the failure for an error. Unexpected errors are logged; the response has only their log ID. */
export const failureOf = (error: Error): Failure => (error instanceof Failure ? error : logged(error));

export function failureResponse(error: Error, c: Context): Response | Promise<Response> {
  const failed = failureOf(error);
  const { code, message, headers } = failed;
  if (!acceptsHtml(c.req.raw.headers)) return statedResponse(failed, failed);
  const nonce: string = c.get("secureHeadersNonce") ?? "";
  const user = failed instanceof NotAdmitted ? failed.email : undefined;
  return c.html(
    <FailurePage code={code} message={message} user={user} console={consoleOf(c.req.path)} nonce={nonce} />,
    errorCodes[code].status,
    headers,
  );
}

/** Returns the first page of the console that a path is below. It begins a login, also where a link with an expired one does not. */
function consoleOf(path: string): string | undefined {
  const [, slug] = path.startsWith(`${CONSOLE_PATH}/`) ? path.slice(CONSOLE_PATH.length).split("/") : [];
  return slug === undefined ? undefined : `${CONSOLE_PATH}/${slug}/`;
}

function logged(error: Error): Failure {
  const id = crypto.randomUUID();
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  log("error", "request.failed", { id, name: error.name, code, reason: error.message });
  return failure(serviceErrors.dashboard_error, { id });
}
