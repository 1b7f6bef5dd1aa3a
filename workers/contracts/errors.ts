/**
 * Errors of every HTTP interface: `{ error: { code, reason?, message, details? } }`, from the catalogue of errors. A 4xx error names the remedy; a
 * 5xx error has an ID to look up in the log, without internals.
 */
import * as z from "zod";
import type { ValuesArgument } from "#domain/errors/catalogue.ts";
import { type ErrorCode, errorCodes } from "#domain/errors/codes.ts";
import { type HttpError, type StatedArguments, type StatedError, stateError } from "#domain/errors/stated.ts";

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

export interface ResponseOptions {
  details?: unknown;
  /** Such as `Retry-After`. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Returns the JSON response of an error. */
export const errorResponse = <E extends HttpError>(
  entry: E,
  ...[values, options]: StatedArguments<E, ResponseOptions>
): Response => statedResponse(stateError(entry, ...([values] as ValuesArgument<E>)), options);

/** Like {@link errorResponse}, for an error whose values are already inserted. */
export function statedResponse(
  { code, reason, message }: StatedError,
  { details, headers }: ResponseOptions = {},
): Response {
  const body: ErrorBody = { error: { code, reason, message, ...(details === undefined ? {} : { details }) } };
  return Response.json(body, {
    status: errorCodes[code].status,
    headers: { "cache-control": "no-store", ...headers },
  });
}
