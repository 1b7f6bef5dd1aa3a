/** Answers to what cannot be done: a page for people, the coded family for programs. */
import type { Context } from "hono";
import { type ErrorCode, errorResponse, errorStatus } from "#workers/contracts/errors.ts";
import { log } from "#workers/shared/log.ts";
import { isForPeople } from "#workers/shared/page/answer.ts";
import { FailurePage } from "../page/failure-page.tsx";

/** A request that ends here, with what its sender is told. */
export class Failure extends Error {
  override name = "Failure";
  readonly code: ErrorCode;
  readonly details: unknown;
  /** Sent along, such as `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, details?: unknown, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.code = code;
    this.details = details;
    this.headers = headers;
  }
}

/** Whoever is logged in is nobody here. */
export class NotAdmitted extends Failure {
  /** Of who is logged in. */
  readonly email: string;

  constructor(email: string, message: string) {
    super("access_denied", message);
    this.email = email;
  }
}

/** What is told of an error: any but a failure is logged under an id, which is all that is shown of it. */
export function failureOf(error: Error): Failure {
  return error instanceof Failure ? error : logged(error);
}

export function answerFailure(error: Error, c: Context): Response | Promise<Response> {
  const failure = failureOf(error);
  const { code, message, details, headers } = failure;
  if (!isForPeople(c.req.raw.headers)) return errorResponse(code, message, { details, headers });
  const nonce: string = c.get("secureHeadersNonce") ?? "";
  const user = failure instanceof NotAdmitted ? failure.email : undefined;
  return c.html(<FailurePage code={code} message={message} user={user} nonce={nonce} />, errorStatus[code], headers);
}

function logged(error: Error): Failure {
  const id = crypto.randomUUID();
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  log("error", "request.failed", { id, name: error.name, code, reason: error.message });
  return new Failure("internal", `Something went wrong; the dashboard's log says more under ${id}.`);
}
