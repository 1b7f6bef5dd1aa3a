import { type ErrorEntry, errorText, type Named, type ValuesArgument, type ValuesOf } from "./catalogue.ts";

/** An error of the catalogue. Its message is the entry's text. */
export class CatalogueError extends Error {
  override name = "CatalogueError";
  /** Key of the entry. */
  readonly reason: string;

  /** Use {@link catalogueError}, which requires an entry. */
  constructor(reason: string, text: string, options?: ErrorOptions) {
    super(text, options);
    this.reason = reason;
  }
}

/** The values, which may be omitted if there are none, and the options of `Error`. */
export type ErrorArguments<E extends ErrorEntry> = keyof ValuesOf<E> extends never
  ? [values?: ValuesOf<E>, options?: ErrorOptions]
  : [values: ValuesOf<E>, options?: ErrorOptions];

export function catalogueError<const E extends Named>(
  entry: E,
  ...[values, options]: ErrorArguments<E>
): CatalogueError {
  return new CatalogueError(entry.reason, errorText(entry, ...([values] as unknown as ValuesArgument<E>)), options);
}

/** Returns the text with the reason, which users can search for: behind one line, or below several. */
export const withReason = (text: string, reason: string): string =>
  `${text}${text.includes("\n") ? "\n" : " "}(${reason})`;

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

const clause = (sentence: string): string =>
  sentence.replace(/^[A-Z](?=[a-z ])/, (first) => first.toLowerCase()).replace(/\.$/, "");
