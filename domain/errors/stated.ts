/** Errors of the catalogue that have an HTTP response, with their values. */
import { type ErrorEntry, errorText, type Named, type ValuesArgument, type ValuesOf } from "./catalogue.ts";
import type { ErrorCode } from "./codes.ts";

export type HttpError = Named<ErrorEntry & { readonly code: ErrorCode }>;

/** What a response says of an error. Without a code the error has no response: users cannot correct it. */
export interface StatedError<Code extends ErrorCode | undefined = ErrorCode> {
  readonly code: Code;
  readonly reason: string;
  readonly message: string;
}

/** Arguments after an entry: its values, which may be omitted if there are none, and options. */
export type StatedArguments<E extends ErrorEntry, Options> = keyof ValuesOf<E> extends never
  ? [values?: ValuesOf<E>, options?: Options]
  : [values: ValuesOf<E>, options?: Options];

/** Inserts the values into the texts of an error. */
export function stateError<E extends HttpError>(entry: E, ...values: ValuesArgument<E>): StatedError;
export function stateError<E extends Named>(entry: E, ...values: ValuesArgument<E>): StatedError<ErrorCode | undefined>;
export function stateError<E extends Named>(
  entry: E,
  ...values: ValuesArgument<E>
): StatedError<ErrorCode | undefined> {
  return { code: entry.code, reason: entry.reason, message: errorText(entry, ...values) };
}
