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
