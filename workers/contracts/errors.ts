/**
 * Errors of every HTTP interface: `{ error: { code, message, details? } }`. A 4xx error names the remedy; a 5xx error has an ID to look up in
 * the log, without internals.
 */
import * as z from "zod";

export const errorStatus = {
  access_denied: 403,
  authentication_required: 401,
  client_not_active: 403,
  conflict: 409,
  forbidden: 403,
  gateway_starting: 503,
  gateway_timeout: 504,
  gateway_unavailable: 502,
  instance_frozen: 403,
  instance_stopped: 403,
  internal: 500,
  invalid_request: 400,
  limit_exceeded: 429,
  managed_by_git: 409,
  method_not_allowed: 405,
  no_account_capacity: 409,
  no_ai_gateway_capacity: 409,
  not_found: 404,
  payload_too_large: 413,
  precondition_failed: 412,
  tenant_not_found: 404,
  tenant_unavailable: 503,
  unsupported_media_type: 415,
} as const;

export type ErrorCode = keyof typeof errorStatus;

export const errorBody = z.object({
  error: z.object({
    code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    details: z.unknown().optional(),
  }),
});
export type ErrorBody = z.infer<typeof errorBody>;

/** Returns a JSON error response. @param options.headers such as `Retry-After` */
export function errorResponse(
  code: ErrorCode,
  message: string,
  options: { details?: unknown; headers?: Record<string, string> } = {},
): Response {
  const body: ErrorBody = {
    error: { code, message, ...(options.details === undefined ? {} : { details: options.details }) },
  };
  return Response.json(body, {
    status: errorStatus[code],
    headers: { "cache-control": "no-store", ...options.headers },
  });
}
