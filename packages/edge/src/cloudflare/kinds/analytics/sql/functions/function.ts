/** What a function of the dialect is: what it takes, what it gives, and how. */
import type { Fill, VectorOf } from "../compiling/vectors.ts";
import { invalid, type SqlError } from "../sql-error.ts";
import type { DateTimeType, IntegerType, Kind, SqlType } from "../values/types.ts";
import type { Value } from "../values/values.ts";

/** A row of whatever is selected from. */
export type Row = readonly Value[];

/** An expression that is ready to run. */
export interface Compiled {
  type: SqlType;
  /** Whether it is the same for every row. */
  isConstant: boolean;
  evaluate: (row: Row) => Value;
  /** Its values of many rows at once; undefined where it can only be asked row by row. */
  vector?: VectorOf;
}

export interface Application {
  /** The whole call, for messages. */
  text: string;
  arguments: readonly Compiled[];
  /** Seconds since the epoch. */
  now: bigint;
}

/**
 * How a call is answered: from its arguments' values, or from as many of them as it needs. `fill` does the same for many rows at once and
 * refuses nothing.
 */
export type Applied = { type: SqlType; fill?: Fill | undefined } & (
  | { run: (values: readonly Value[]) => Value }
  | { lazily: (value: (at: number) => Value) => Value }
);

export interface FunctionDefinition {
  /** How many arguments it takes. */
  least: number;
  most: number;
  /** @throws SqlError for arguments that it does not take */
  apply: (application: Application) => Applied;
}

export type Functions = Readonly<Record<string, FunctionDefinition>>;

export function defined(least: number, most: number, apply: FunctionDefinition["apply"]): FunctionDefinition {
  return { least, most, apply };
}

/** As others saw the live service say it. */
export function cannotUse({ text }: { text: string }, type: SqlType, at: number): SqlError {
  return invalid(`cannot use the ${type.kind} type as argument ${at + 1} in ${text}`);
}

/** The type of an argument. @throws SqlError when it is of none of the kinds */
export function typeAt(
  application: { text: string; arguments: readonly Compiled[] },
  at: number,
  ...kinds: readonly Kind[]
): SqlType {
  const type = application.arguments[at]?.type;
  if (type === undefined) throw invalid(`missing argument ${at + 1} in ${application.text}`);
  if (kinds.length > 0 && !kinds.includes(type.kind)) throw cannotUse(application, type, at);
  return type;
}

/** @throws SqlError when the argument is no integer */
export function integerAt(application: Application, at: number): IntegerType {
  const type = typeAt(application, at);
  if (type.kind !== "Integer") throw cannotUse(application, type, at);
  return type;
}

/** @throws SqlError when the argument is no DateTime */
export function dateTimeAt(application: Application, at: number): DateTimeType {
  const type = typeAt(application, at);
  if (type.kind !== "DateTime") throw cannotUse(application, type, at);
  return type;
}

/** The value of an argument that must be the same for every row; undefined when it was not given. @throws SqlError when it is not */
export function constantAt({ text, arguments: given }: Application, at: number): Value | undefined {
  const argument = given[at];
  if (argument === undefined) return undefined;
  if (!argument.isConstant) throw invalid(`argument ${at + 1} in ${text} must be constant`);
  return argument.evaluate([]);
}

/** Characters of a text that a function gives. */
const MOST_CHARACTERS = 100_000;

/** @throws SqlError for a text that is too long */
export function checkLength(length: number): void {
  if (length > MOST_CHARACTERS) throw invalid(`the local edge makes texts of ${MOST_CHARACTERS} characters at most`);
}
