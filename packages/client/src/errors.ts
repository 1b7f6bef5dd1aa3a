/** Why a call failed. */

interface Stated {
  readonly code: string;
  readonly message: string;
  readonly reason?: string | undefined;
  readonly details?: unknown;
}

/** The API refused the request. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** General and stable, such as `not_found`. */
  readonly code: string;
  /** The error in detail. */
  readonly reason: string | undefined;
  /** Status of the response. */
  readonly status: number;
  /** Depends on the error: of `invalid_request`, the faults of each field. */
  readonly details: unknown;
  /** For the operator, who finds the request by it; undefined on one machine. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the next attempt. */
  readonly retryAfter: number | undefined;

  constructor({ code, message, reason, details }: Stated, response: Response) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.status = response.status;
    this.details = details;
    this.requestId = response.headers.get("cf-ray") ?? undefined;
    this.retryAfter = secondsOf(response.headers.get("retry-after"));
  }
}

/** No response, or none of the API: a change may have taken effect. */
export class NoResponseError extends Error {
  override readonly name = "NoResponseError";
  readonly isTimeout: boolean;
  /** Of a response that is not one of the API. */
  readonly status: number | undefined;

  constructor(
    message: string,
    { cause, isTimeout = false, status }: { cause?: unknown; isTimeout?: boolean; status?: number } = {},
  ) {
    super(message, { cause });
    this.isTimeout = isTimeout;
    this.status = status;
  }
}

/** Access redirects a request without a valid login to its page; browsers hide the status of a redirect. */
const LOGIN_REQUIRED: Stated = {
  code: "authentication_required",
  message: "The request has no valid login: the token is new, revoked, expired or for another host.",
};

/** Returns the error of a response without success. */
export async function errorOf(response: Response): Promise<Error> {
  if (isRedirect(response)) {
    await response.body?.cancel();
    return new ApiError(LOGIN_REQUIRED, response);
  }
  const stated = statedIn(await response.json().catch(() => undefined));
  if (stated !== undefined) return new ApiError(stated, response);
  const { status } = response;
  return new NoResponseError(`The response has the status ${status} and is not one of the API.`, { status });
}

const isRedirect = ({ type, status }: Response) => type === "opaqueredirect" || (status >= 300 && status < 400);

function statedIn(body: unknown): Stated | undefined {
  if (!isRecord(body) || !isRecord(body.error)) return undefined;
  const { code, message, reason, details } = body.error;
  if (typeof code !== "string" || typeof message !== "string") return undefined;
  return { code, message, details, ...(typeof reason === "string" && { reason }) };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

function secondsOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}
