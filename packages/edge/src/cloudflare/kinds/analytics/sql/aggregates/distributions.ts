/** Cloudflare: developers.cloudflare.com/analytics/analytics-engine/sql-reference/aggregate-functions/ */
import { type Compiled, typeAt } from "../functions/function.ts";
import { invalidInput } from "../sql-error.ts";
import { arrayOf, type SqlType } from "../values/types.ts";
import { asDouble, asInteger, compareValues, keyOf, type Value } from "../values/values.ts";
import {
  type AggregateApplication,
  type AggregateDefinition,
  type Aggregates,
  type Aggregation,
  emptyValue,
  type Keep,
  type State,
} from "./aggregate.ts";

function weightedValues(keep: Keep, weightOf: (values: readonly Value[]) => bigint) {
  const found = new Map<string, { value: Value; weight: bigint }>();
  const add = (values: readonly Value[]) => {
    const [value] = values;
    if (value === undefined || Number.isNaN(value)) return;
    const weight = weightOf(values);
    if (weight <= 0n) return;
    const key = keyOf([value]);
    const known = found.get(key);
    if (known !== undefined) known.weight += weight;
    else {
      keep([value, key]);
      found.set(key, { value, weight });
    }
  };
  return { add, all: () => [...found.values()] };
}

const secondAsWeight = ([, weight]: readonly Value[]) => asInteger(weight);

/** Returns the first value at which the cumulated weight reaches the share `level`. */
function quantileState(type: SqlType, level: number, keep: Keep): State {
  const { add, all } = weightedValues(keep, secondAsWeight);
  const result = (): Value => {
    const sorted = all().toSorted((a, b) => compareValues(a.value, b.value));
    const total = sorted.reduce((sum, { weight }) => sum + weight, 0n);
    const threshold = Math.ceil(Number(total) * level);
    let reached = 0n;
    for (const { value, weight } of sorted) {
      reached += weight;
      if (Number(reached) >= threshold) return value;
    }
    return sorted.at(-1)?.value ?? (type.kind === "Double" ? Number.NaN : emptyValue(type));
  };
  return { add, result };
}

function levelOf(given: Compiled | undefined, text: string): number {
  const isNumber = given?.isConstant && (given.type.kind === "Double" || given.type.kind === "Integer");
  const level = isNumber ? asDouble(given.evaluate([])) : Number.NaN;
  if (!(level >= 0 && level <= 1))
    throw invalidInput(`the level of a quantile must be a number from 0 to 1 in ${text}`);
  return level;
}

function quantileOf(application: AggregateApplication, level: Compiled | undefined): Aggregation {
  const type = typeAt(application, 0, "Integer", "Double", "DateTime");
  const weight = typeAt(application, 1);
  // ClickHouse accepts integers only.
  if (weight.kind !== "Integer")
    throw invalidInput(`cannot use the ${weight.kind} type as a weight in ${application.text}`);
  const share = levelOf(level, application.text);
  return { type, start: (keep) => quantileState(type, share, keep) };
}

const MOST_COMMON = 10;
/** Limit of ClickHouse. */
const MOST_ASKED = 65_536;

function topValues(weightOf: (values: readonly Value[]) => bigint, arguments_: number): AggregateDefinition {
  return {
    least: arguments_,
    most: arguments_,
    parameters: 1,
    apply: (application) => {
      const of = typeAt(application, 0, "String", "Integer", "Double", "DateTime", "Date", "Boolean");
      if (arguments_ > 1) typeAt(application, 1, "Integer");
      const most = countOf(application);
      const start = (keep: Keep): State => {
        const { add, all } = weightedValues(keep, weightOf);
        const heavierFirst = () => all().toSorted((a, b) => (a.weight === b.weight ? 0 : a.weight > b.weight ? -1 : 1));
        return {
          add,
          result: () =>
            heavierFirst()
              .slice(0, most)
              .map(({ value }) => value),
        };
      };
      return { type: arrayOf(of), start };
    },
  };
}

function countOf({ parameters: [given], text }: AggregateApplication): number {
  if (given === undefined) return MOST_COMMON;
  const count = given.isConstant && given.type.kind === "Integer" ? Number(asInteger(given.evaluate([]))) : 0;
  if (count < 1 || count > MOST_ASKED)
    throw invalidInput(`the parameter must be a whole number from 1 to ${MOST_ASKED} in ${text}`);
  return count;
}

/** The legacy form `quantileWeighted(level, value, weight)`. */
function withoutParameters(application: AggregateApplication): Aggregation {
  const [level, ...rest] = application.arguments;
  const { type, start } = quantileOf({ ...application, arguments: rest }, level);
  const shifted = (state: State): State => ({ ...state, add: ([, ...values]) => state.add(values) });
  return { type, start: (keep) => shifted(start(keep)) };
}

export const distributions: Aggregates = {
  quantileexactweighted: {
    least: 2,
    most: 2,
    parameters: 1,
    apply: (application) => quantileOf(application, application.parameters[0]),
  },
  quantileweighted: { least: 3, most: 3, apply: withoutParameters },
  topk: topValues(() => 1n, 1),
  topkweighted: topValues(secondAsWeight, 2),
};
