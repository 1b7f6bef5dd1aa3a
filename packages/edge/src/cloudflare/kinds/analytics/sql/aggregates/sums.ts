/** Cloudflare: developers.cloudflare.com/analytics/analytics-engine/sql-reference/aggregate-functions/ */
import { typeAt } from "../functions/function.ts";
import { DOUBLE, integer, UINT64, wrapped } from "../values/types.ts";
import { asDouble, asInteger, asTruth, type Value } from "../values/values.ts";
import type { AggregateApplication, AggregateDefinition, Aggregates, Aggregation, State } from "./aggregate.ts";
import { averageFold, conditionalFold, countFold, doubleSumFold, integerSumFold } from "./folds.ts";

function count(): State {
  let rows = 0n;
  return {
    add: () => {
      rows += 1n;
    },
    result: () => rows,
  };
}

function sum(application: AggregateApplication): Aggregation {
  const of = typeAt(application, 0, "Integer", "Double");
  if (of.kind !== "Integer") return { type: DOUBLE, start: doubleSum, fold: doubleSumFold };
  const type = integer(64, of.signed);
  const wrap = (total: bigint) => wrapped(total, type);
  return { type, start: () => integerSum(wrap), fold: integerSumFold(wrap) };
}

function doubleSum(): State {
  let total = 0;
  return {
    add: ([value]) => {
      total += asDouble(value);
    },
    result: () => total,
  };
}

function integerSum(wrap: (total: bigint) => bigint): State {
  let total = 0n;
  return {
    add: ([value]) => {
      total += asInteger(value);
    },
    result: () => wrap(total),
  };
}

function average(application: AggregateApplication): Aggregation {
  typeAt(application, 0, "Integer", "Double");
  const start = (): State => {
    let [total, rows] = [0, 0];
    return {
      add: ([value]) => {
        total += asDouble(value);
        rows += 1;
      },
      result: () => total / rows,
    };
  };
  return { type: DOUBLE, start, fold: averageFold };
}

function conditional(
  arguments_: number,
  apply: (application: AggregateApplication) => Aggregation,
): AggregateDefinition {
  return {
    least: arguments_,
    most: arguments_,
    apply: (application) => {
      typeAt(application, arguments_ - 1, "Boolean", "Integer");
      const { type, start, fold } = apply(application);
      const some = fold && conditionalFold(fold);
      return { type, start: (keep) => onlyIf(start(keep), arguments_ - 1), ...(some && { fold: some }) };
    },
  };
}

function onlyIf(state: State, at: number): State {
  const add = (values: readonly Value[]) => {
    if (asTruth(values[at])) state.add(values);
  };
  return { add, result: state.result };
}

const counted: Aggregation = { type: UINT64, start: count, fold: countFold };

export const sums: Aggregates = {
  count: { least: 0, most: 1, mayBeDistinct: true, apply: () => counted },
  sum: { least: 1, most: 1, mayBeDistinct: true, apply: sum },
  avg: { least: 1, most: 1, mayBeDistinct: true, apply: average },
  countif: conditional(1, () => counted),
  sumif: conditional(2, sum),
  avgif: conditional(2, average),
};
