/** Cloudflare: developers.cloudflare.com/analytics/analytics-engine/sql-reference/aggregate-functions/ */
import { typeAt } from "../functions/function.ts";
import { DOUBLE, integerType, UINT64, wrapInteger } from "../values/types.ts";
import { asDouble, asInteger, asTruth } from "../values/values.ts";
import {
  type AggregateApplication,
  type AggregateDefinition,
  type Aggregates,
  type Aggregation,
  type Keep,
  reducingState,
  type State,
} from "./aggregate.ts";
import { averageFold, conditionalFold, countFold, doubleSumFold, integerSumFold } from "./folds.ts";

const identity = <T>(value: T) => value;

function aggregateSum(application: AggregateApplication): Aggregation {
  const of = typeAt(application, 0, "Integer", "Double");
  if (of.kind !== "Integer")
    return {
      type: DOUBLE,
      start: () => reducingState(0, (total, [value]) => total + asDouble(value), identity),
      fold: doubleSumFold,
    };
  const type = integerType(64, of.signed);
  const wrap = (total: bigint) => wrapInteger(total, type);
  const start = () => reducingState<bigint>(0n, (total, [value]) => total + asInteger(value), wrap);
  return { type, start, fold: integerSumFold(wrap) };
}

function aggregateAverage(application: AggregateApplication): Aggregation {
  typeAt(application, 0, "Integer", "Double");
  const start = () =>
    reducingState(
      { total: 0, rows: 0 },
      ({ total, rows }, [value]) => ({ total: total + asDouble(value), rows: rows + 1 }),
      ({ total, rows }) => total / rows,
    );
  return { type: DOUBLE, start, fold: averageFold };
}

function conditionalAggregate(
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
  start: () => reducingState<bigint>(0n, (rows) => rows + 1n, identity),
  fold: countFold,
};

export const sums: Aggregates = {
  count: { least: 0, most: 1, mayBeDistinct: true, apply: () => counted },
  sum: { least: 1, most: 1, mayBeDistinct: true, apply: aggregateSum },
  avg: { least: 1, most: 1, mayBeDistinct: true, apply: aggregateAverage },
  countif: conditionalAggregate(1, () => counted),
  sumif: conditionalAggregate(2, aggregateSum),
  avgif: conditionalAggregate(2, aggregateAverage),
};
