/** What an aggregate function of the dialect is. */
import type { Application, Compiled } from "../functions/function.ts";
import type { SqlType } from "../values/types.ts";
import type { Value } from "../values/values.ts";
import type { Fold } from "./folds.ts";

/** What came of a group's rows so far. */
export interface State {
  add: (values: readonly Value[]) => void;
  result: () => Value;
}

/** Keeps count of what states hold. @throws SqlError when it is too much */
export type Keep = (values: readonly Value[]) => void;

export interface Aggregation {
  type: SqlType;
  start: (keep: Keep) => State;
  /** The same for many rows at once; undefined where each is added by itself. */
  fold?: Fold;
}

export interface AggregateApplication extends Application {
  /** What stands in the first of two pairs of parentheses. */
  parameters: readonly Compiled[];
}

export interface AggregateDefinition {
  /** How many arguments it takes. */
  least: number;
  most: number;
  /** Whether `DISTINCT` may come before its argument. Default: it may not. */
  mayBeDistinct?: boolean;
  /** How many parameters it may have. Default: none. */
  parameters?: number;
  /** @throws SqlError for arguments that it does not take */
  apply: (application: AggregateApplication) => Aggregation;
}

export type Aggregates = Readonly<Record<string, AggregateDefinition>>;

/** What is answered for no rows. */
export function emptyValue({ kind }: SqlType): Value {
  if (kind === "String") return "";
  if (kind === "Double") return 0;
  if (kind === "Boolean") return false;
  return kind === "Array" ? [] : 0n;
}
