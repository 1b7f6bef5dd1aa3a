/** Cloudflare: developers.cloudflare.com/analytics/analytics-engine/sql-reference/aggregate-functions/ */
import { typeAt } from "../functions/function.ts";
import { compareValues, type Value } from "../values/values.ts";
import { type AggregateDefinition, type Aggregates, emptyValue, reducingState, type State } from "./aggregate.ts";
import { extremeFold } from "./folds.ts";

/** 1 prefers the least value, -1 the greatest. */
type Sign = 1 | -1;

/** Returns the value at `answer` of the first row with the best value at `by`. */
function argumentState(sign: Sign, answer: number, by: number, empty: Value): State {
  return reducingState<{ answer: Value; by: Value } | undefined>(
    undefined,
    (present, values) => {
      const [candidate, result] = [values[by], values[answer]];
      if (candidate === undefined || result === undefined || Number.isNaN(candidate)) return present;
      const isBetter = present === undefined || sign * compareValues(candidate, present.by) < 0;
      return isBetter ? { answer: result, by: candidate } : present;
    },
    (present) => present?.answer ?? empty,
  );
}

const defineMinOrMax = (sign: Sign): AggregateDefinition => ({
  least: 1,
  most: 1,
  apply: (application) => {
    const type = typeAt(application, 0, "Integer", "Double", "DateTime", "Date");
    const empty = emptyValue(type);
    return { type, start: () => argumentState(sign, 0, 0, empty), fold: extremeFold(sign, type, empty) };
  },
});

const defineArgMinOrMax = (sign: Sign): AggregateDefinition => ({
  least: 2,
  most: 2,
  apply: (application) => {
    const type = typeAt(application, 0);
    typeAt(application, 1, "Integer", "Double", "DateTime", "Date");
    return { type, start: () => argumentState(sign, 0, 1, emptyValue(type)) };
  },
});

/** By reading order: the oldest point first. */
const defineFirstOrLast = (isKept: (present: Value | undefined) => boolean): AggregateDefinition => ({
  least: 1,
  most: 1,
  apply: (application) => {
    const type = typeAt(application, 0);
    const start = () =>
      reducingState<Value | undefined>(
        undefined,
        (present, [value]) => (isKept(present) ? present : value),
        (present) => present ?? emptyValue(type),
      );
    return { type, start };
  },
});

export const picked: Aggregates = {
  min: defineMinOrMax(1),
  max: defineMinOrMax(-1),
  argmin: defineArgMinOrMax(1),
  argmax: defineArgMinOrMax(-1),
  first_value: defineFirstOrLast((present) => present !== undefined),
  last_value: defineFirstOrLast(() => false),
};
