/**
 * Errors of every HTTP interface: `{ error: { code, message, details? } }`. A 4xx error names the remedy; a 5xx error has an ID to look up in
 * the log, without internals.
 */
import * as z from "zod";
import { type ErrorCode, errorCodes } from "#domain/errors/codes.ts";

export const errorBody = z.object({
  error: z.object({
    code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
    /** The error in detail, as in the catalogue of errors. */
    reason: z.string().optional(),
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
    status: errorCodes[code].status,
    headers: { "cache-control": "no-store", ...options.headers },
  });
}
