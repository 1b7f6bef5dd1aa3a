/** Cloudflare: developers.cloudflare.com/analytics/analytics-engine/sql-reference/aggregate-functions/ */
import { typeAt } from "../functions/function.ts";
import { DOUBLE, integer, UINT64, wrapped } from "../values/types.ts";
import { asDouble, asInteger, asTruth } from "../values/values.ts";
import {
  type AggregateApplication,
  type AggregateDefinition,
  type Aggregates,
  type Aggregation,
  type Keep,
  reducing,
  type State,
} from "./aggregate.ts";
import { averageFold, conditionalFold, countFold, doubleSumFold, integerSumFold } from "./folds.ts";

const identity = <T>(value: T) => value;

function sum(application: AggregateApplication): Aggregation {
  const of = typeAt(application, 0, "Integer", "Double");
  if (of.kind !== "Integer")
    return {
      type: DOUBLE,
      start: () => reducing(0, (total, [value]) => total + asDouble(value), identity),
      fold: doubleSumFold,
    };
  const type = integer(64, of.signed);
  const wrap = (total: bigint) => wrapped(total, type);
  const start = () => reducing<bigint>(0n, (total, [value]) => total + asInteger(value), wrap);
  return { type, start, fold: integerSumFold(wrap) };
}

function average(application: AggregateApplication): Aggregation {
  typeAt(application, 0, "Integer", "Double");
  const start = () =>
    reducing(
      { total: 0, rows: 0 },
      ({ total, rows }, [value]) => ({ total: total + asDouble(value), rows: rows + 1 }),
      ({ total, rows }) => total / rows,
    );
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
      const conditionalStart = (keep: Keep): State => {
        const { add, result } = start(keep);
        return { add: (values) => asTruth(values[arguments_ - 1]) && add(values), result };
      };
      return { type, start: conditionalStart, ...(fold && { fold: conditionalFold(fold) }) };
    },
  };
}

const counted: Aggregation = {
  type: UINT64,
  start: () => reducing<bigint>(0n, (rows) => rows + 1n, identity),
  fold: countFold,
};

export const sums: Aggregates = {
  count: { least: 0, most: 1, mayBeDistinct: true, apply: () => counted },
  sum: { least: 1, most: 1, mayBeDistinct: true, apply: sum },
  avg: { least: 1, most: 1, mayBeDistinct: true, apply: average },
  countif: conditional(1, () => counted),
  sumif: conditional(2, sum),
  avgif: conditional(2, average),
};
