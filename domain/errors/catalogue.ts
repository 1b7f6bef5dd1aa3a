/**
 * Errors that users see, as data: what failed and why, what to do, and the general code of its HTTP response. The entries are in the files beside
 * this one; API, pages, commands, deployments and `docs/reference/errors.md` read them.
 */
import type { ErrorCode } from "./codes.ts";

export interface ErrorEntry {
  /** Default: the error has no HTTP response. */
  readonly code?: ErrorCode;
  /** What failed and why. `{name}` stands for a value. */
  readonly message: string;
  /** What to do. `{name}` stands for a value. */
  readonly remedy: string;
}

/** An entry with its name, which is stable: programs may depend on it. */
export type Named<E extends ErrorEntry = ErrorEntry> = E & { readonly reason: string };

type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${string}${" " | '"'}${string}` ? never : Name) | Names<Rest>
  : never;

/** The values that an entry's texts need. */
export type ValuesOf<E extends ErrorEntry> = Readonly<Record<Names<E["message"] | E["remedy"]>, string | number>>;

/** The values, which may be omitted if there are none. */
export type ValuesArgument<E extends ErrorEntry> = keyof ValuesOf<E> extends never
  ? [values?: ValuesOf<E>]
  : [values: ValuesOf<E>];

/** Declares errors; the key of each is its reason. */
export const defineErrors = <const C extends Readonly<Record<string, ErrorEntry>>>(entries: C) =>
  Object.fromEntries(Object.entries(entries).map(([reason, entry]) => [reason, { ...entry, reason }])) as {
    readonly [Reason in keyof C]: Named<C[Reason]>;
  };

/** Returns the text of an error: message and remedy, with the values. */
export function errorText<E extends ErrorEntry>(entry: E, ...[values]: ValuesArgument<E>): string {
  const known: Readonly<Record<string, string | number>> = values ?? {};
  return `${entry.message} ${entry.remedy}`.replaceAll(/\{(\w+)\}/g, (name, key: string) => String(known[key] ?? name));
}
