import { type ErrorEntry, errorText, type Named, type ValuesArgument, type ValuesOf } from "./catalogue.ts";

/** The values, which may be omitted if there are none, and the options of `Error`. */
type ErrorArguments<E extends ErrorEntry> = keyof ValuesOf<E> extends never
  ? [values?: ValuesOf<E>, options?: ErrorOptions]
  : [values: ValuesOf<E>, options?: ErrorOptions];

/** An error that has its text already: of the engine, or of a response from another process. */
export interface Carried {
  readonly message: string;
  readonly reason?: string | undefined;
  readonly remedy?: never;
}

/** An error for users. Its message is an entry's text, or that of a carried error. */
export class CatalogueError<const E extends Named | Carried = Named | Carried> extends Error {
  override name = "CatalogueError";
  /** Key of the entry. Undefined if a carried error has none. */
  readonly reason: string | undefined;

  constructor(source: E, ...args: E extends Named ? ErrorArguments<E> : [options?: ErrorOptions]);
  constructor(source: Named | Carried, ...args: readonly unknown[]) {
    const isEntry = source.remedy !== undefined;
    const [values, options] = isEntry ? args : [undefined, args[0]];
    super(isEntry ? errorText(source, values as ValuesOf<Named>) : source.message, options as ErrorOptions | undefined);
    this.reason = source.reason;
  }
}

/** Returns the text with the reason, which users can search for: behind one line, or below several. */
export const withReason = (text: string, reason: string | undefined): string =>
  reason === undefined ? text : `${text}${text.includes("\n") ? "\n" : " "}(${reason})`;

/** Returns another program's message as a sentence, to which a remedy can be appended. */
export function asSentence(text: string): string {
  const trimmed = text.trim().replace(/[:;,]$/, "");
  return /[.!?)]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** A fault of a list, in one line or in sentences. Only entries of the catalogue make one. */
export type Fault = string & { readonly isFault: true };

/** Returns `message; remedy` without capitals and periods, for faults with a path or name in front. */
export function errorLine<const E extends Named>(entry: E, ...values: ValuesArgument<E>): Fault {
  const line = { ...entry, message: `${clause(entry.message)};`, remedy: clause(entry.remedy) };
  return errorText(line as E, ...values) as Fault;
}

/** Returns the entry's text as a fault of a list. */
export const errorFault = <const E extends Named>(entry: E, ...values: ValuesArgument<E>): Fault =>
  errorText(entry, ...values) as Fault;

/** Returns the message alone, as a line, for a fault whose remedy is elsewhere. */
export const errorMessage = <const E extends Named>(entry: E, ...values: ValuesArgument<E>): Fault =>
  errorText({ ...entry, message: clause(entry.message), remedy: "" } as E, ...values).trimEnd() as Fault;

/** Returns the message as the heading of a list of faults, each with its own remedy. */
export const errorHeading = <const E extends Named>(entry: E, ...values: ValuesArgument<E>): Fault =>
  `${errorMessage(entry, ...values)}:` as Fault;

/** Returns both texts apart, for records that have a column for each. */
export function errorParts<const E extends Named>(entry: E, ...values: ValuesArgument<E>) {
  const cause = errorText({ ...entry, remedy: "" } as E, ...values).trimEnd();
  const remedy = errorText({ ...entry, message: "" } as E, ...values).trimStart();
  return { cause, remedy };
}

const clause = (sentence: string): string =>
  sentence.replace(/^[A-Z](?=[a-z ])/, (first) => first.toLowerCase()).replace(/\.$/, "");
