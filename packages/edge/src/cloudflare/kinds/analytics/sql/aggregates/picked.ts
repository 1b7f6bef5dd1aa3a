/** Cloudflare: developers.cloudflare.com/analytics/analytics-engine/sql-reference/aggregate-functions/ */
import { typeAt } from "../functions/function.ts";
import { compared, type Value } from "../values/values.ts";
import { type AggregateDefinition, type Aggregates, emptyValue, type State } from "./aggregate.ts";
import { extremeFold } from "./folds.ts";

type Better = (candidate: Value, present: Value) => boolean;

const less: Better = (candidate, present) => compared(candidate, present) < 0;
const greater: Better = (candidate, present) => compared(candidate, present) > 0;

/** Returns the value at `answer` of the first row with the best value at `by`. */
function best(better: Better, answer: number, by: number, empty: Value): State {
  let present: { answer: Value; by: Value } | undefined;
  return {
    add: (values) => {
      const [candidate, told] = [values[by], values[answer]];
      if (candidate === undefined || told === undefined || Number.isNaN(candidate)) return;
      if (present === undefined || better(candidate, present.by)) present = { answer: told, by: candidate };
    },
    result: () => present?.answer ?? empty,
  };
}

const extreme = (which: "least" | "greatest"): AggregateDefinition => ({
  least: 1,
  most: 1,
  apply: (application) => {
    const type = typeAt(application, 0, "Integer", "Double", "DateTime", "Date");
    const [better, empty] = [which === "least" ? less : greater, emptyValue(type)];
    return { type, start: () => best(better, 0, 0, empty), fold: extremeFold(which, type, empty) };
  },
});

const argument = (better: Better): AggregateDefinition => ({
  least: 2,
  most: 2,
  apply: (application) => {
    const type = typeAt(application, 0);
    typeAt(application, 1, "Integer", "Double", "DateTime", "Date");
    return { type, start: () => best(better, 0, 1, emptyValue(type)) };
  },
});

/** By reading order: the oldest point first. */
const placed = (isKept: (present: Value | undefined) => boolean): AggregateDefinition => ({
  least: 1,
  most: 1,
  apply: (application) => {
    const type = typeAt(application, 0);
    const start = (): State => {
      let present: Value | undefined;
      return {
        add: ([value]) => {
          if (!isKept(present)) present = value;
        },
        result: () => present ?? emptyValue(type),
      };
    };
    return { type, start };
  },
});

export const picked: Aggregates = {
  min: extreme("least"),
  max: extreme("greatest"),
  argmin: argument(less),
  argmax: argument(greater),
  first_value: placed((present) => present !== undefined),
  last_value: placed(() => false),
};
