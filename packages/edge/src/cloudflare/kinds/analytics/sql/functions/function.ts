import type { Fill, VectorOf } from "../compiling/vectors.ts";
import { invalidInput, type SqlError } from "../sql-error.ts";
import type { DateTimeType, IntegerType, Kind, SqlType } from "../values/types.ts";
import type { Value } from "../values/values.ts";

export type Row = readonly Value[];

export interface Compiled {
  type: SqlType;
  isConstant: boolean;
  evaluate: (row: Row) => Value;
  /** Evaluates a batch. Default: rows are evaluated one by one. */
  vector?: VectorOf;
}

export interface Application {
  /** The whole call, for error messages. */
  text: string;
  arguments: readonly Compiled[];
  /** Seconds since the epoch. */
  now: bigint;
}

/** `lazily` requests only the values that it needs. `fill` is the equivalent of both for batches, and cannot fail. */
export type Applied = { type: SqlType; fill?: Fill | undefined } & (
  | { run: (values: readonly Value[]) => Value }
  | { lazily: (value: (at: number) => Value) => Value }
);

export interface FunctionDefinition {
  least: number;
  most: number;
  apply: (application: Application) => Applied;
}

export type Functions = Readonly<Record<string, FunctionDefinition>>;

export function defineFunction(least: number, most: number, apply: FunctionDefinition["apply"]): FunctionDefinition {
  return { least, most, apply };
}

/** The error text of the live service, according to public reports. */
export function cannotUse({ text }: { text: string }, type: SqlType, at: number): SqlError {
  return invalidInput(`cannot use the ${type.kind} type as argument ${at + 1} in ${text}`);
}

/** Returns the type of an argument. @throws SqlError for other kinds than `kinds` */
export function typeAt(
  application: { text: string; arguments: readonly Compiled[] },
  at: number,
  ...kinds: readonly Kind[]
): SqlType {
  const type = application.arguments[at]?.type;
  if (type === undefined) throw invalidInput(`missing argument ${at + 1} in ${application.text}`);
  if (kinds.length > 0 && !kinds.includes(type.kind)) throw cannotUse(application, type, at);
  return type;
}

export function integerAt(application: Application, at: number): IntegerType {
  const type = typeAt(application, at);
  if (type.kind !== "Integer") throw cannotUse(application, type, at);
  return type;
}

export function dateTimeAt(application: Application, at: number): DateTimeType {
  const type = typeAt(application, at);
  if (type.kind !== "DateTime") throw cannotUse(application, type, at);
  return type;
}

/** Returns the value of a constant argument; undefined when it is missing. @throws SqlError when it is not constant */
export function constantAt({ text, arguments: given }: Application, at: number): Value | undefined {
  const argument = given[at];
  if (argument === undefined) return undefined;
  if (!argument.isConstant) throw invalidInput(`argument ${at + 1} in ${text} must be constant`);
  return argument.evaluate([]);
}

const MOST_CHARACTERS = 100_000;

export function checkLength(length: number): void {
  if (length > MOST_CHARACTERS) throw invalidInput(`the local edge limits texts to ${MOST_CHARACTERS} characters`);
}
