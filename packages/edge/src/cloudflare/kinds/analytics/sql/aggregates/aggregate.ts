import type { Application, Compiled } from "../functions/function.ts";
import type { SqlType } from "../values/types.ts";
import type { Value } from "../values/values.ts";
import type { Fold } from "./folds.ts";

export interface State {
  add: (values: readonly Value[]) => void;
  result: () => Value;
}

/** Creates a state that reduces the rows. */
export function reducingState<T>(
  initial: T,
  next: (present: T, values: readonly Value[]) => T,
  result: (present: T) => Value,
): State {
  let present = initial;
  return {
    add: (values) => {
      present = next(present, values);
    },
    result: () => result(present),
  };
}

/** Charges stored values to the memory budget. @throws SqlError when the budget is exceeded */
export type Keep = (values: readonly Value[]) => void;

export interface Aggregation {
  type: SqlType;
  start: (keep: Keep) => State;
  /** Aggregates whole batches. Default: rows are added one by one. */
  fold?: Fold;
}

export interface AggregateApplication extends Application {
  /** Arguments in the first of two pairs of parentheses. */
  parameters: readonly Compiled[];
}

export interface AggregateDefinition {
  least: number;
  most: number;
  /** Default: false. */
  mayBeDistinct?: boolean;
  /** Maximum number of parameters. Default: 0. */
  parameters?: number;
  apply: (application: AggregateApplication) => Aggregation;
}

export type Aggregates = Readonly<Record<string, AggregateDefinition>>;

/** Returns the result for no rows. */
export function emptyValue({ kind }: SqlType): Value {
  if (kind === "String") return "";
  if (kind === "Double") return 0;
  if (kind === "Boolean") return false;
  return kind === "Array" ? [] : 0n;
}
