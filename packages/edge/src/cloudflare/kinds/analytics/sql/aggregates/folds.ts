/** Aggregate functions over whole batches. A total and a count for each group suffice for sums, means and extremes. */
import type { Vector } from "../../batch.ts";
import { asNumbers, numbersOf } from "../compiling/vectors.ts";
import type { SqlType } from "../values/types.ts";
import type { Value } from "../values/values.ts";

/** By group number. */
export interface Tallies {
  totals: Float64Array;
  rows: Float64Array;
}

/** Returns exactly the results of `State`. */
export interface Fold {
  initial: number;
  /** @param groups group number of each row */
  add: (tallies: Tallies, groups: Uint32Array, length: number, given: readonly Vector[]) => void;
  result: (total: number, rows: number) => Value;
}

type Loop = (tallies: Tallies, groups: Uint32Array, length: number, values: Float64Array) => void;

const ofNumbers =
  (loop: Loop): Fold["add"] =>
  (tallies, groups, length, [vector]) =>
    loop(tallies, groups, length, numbersOf(vector));

export const countFold: Fold = {
  initial: 0,
  add: ({ rows }, groups, length) => {
    for (let at = 0; at < length; at += 1) {
      const group = groups[at] ?? 0;
      rows[group] = (rows[group] ?? 0) + 1;
    }
  },
  result: (_total, rows) => BigInt(rows),
};

const addDoubles = ofNumbers(({ totals }, groups, length, values) => {
  for (let at = 0; at < length; at += 1) {
    const group = groups[at] ?? 0;
    totals[group] = (totals[group] ?? 0) + (values[at] ?? 0);
  }
});

export const doubleSumFold: Fold = {
  initial: 0,
  add: (tallies, groups, length, given) => {
    // Adding 0 changes only -0, which is never a sum.
    if (asNumbers(given[0]).same !== 0) addDoubles(tallies, groups, length, given);
  },
  result: (total) => total,
};

/** Larger totals are carried over to `rows`, because doubles do not represent them exactly. */
const CARRIED = 2 ** 52;

/** @param wrap applies the overflow of the result's type */
export function integerSumFold(wrap: (total: bigint) => bigint): Fold {
  return {
    initial: 0,
    add: ofNumbers(({ totals, rows }, groups, length, values) => {
      for (let at = 0; at < length; at += 1) {
        const group = groups[at] ?? 0;
        const total = (totals[group] ?? 0) + (values[at] ?? 0);
        const carry = Math.trunc(total / CARRIED);
        totals[group] = total - carry * CARRIED;
        if (carry !== 0) rows[group] = (rows[group] ?? 0) + carry;
      }
    }),
    result: (total, carried) => wrap(BigInt(carried) * BigInt(CARRIED) + BigInt(total)),
  };
}

export const averageFold: Fold = {
  initial: 0,
  add: (tallies, groups, length, given) => {
    doubleSumFold.add(tallies, groups, length, given);
    countFold.add(tallies, groups, length, given);
  },
  result: (total, rows) => total / rows,
};

/** @param sign 1 for the least, -1 for the greatest */
const foldExtreme =
  (sign: 1 | -1): Loop =>
  ({ totals }, groups, length, values) => {
    for (let at = 0; at < length; at += 1) {
      const group = groups[at] ?? 0;
      const [value, present] = [values[at] ?? 0, totals[group] ?? Number.NaN];
      if (sign * value < sign * present || (Number.isNaN(present) && !Number.isNaN(value))) totals[group] = value;
    }
  };

/** Ignores NaN. @param empty result for no rows */
export function extremeFold(sign: 1 | -1, { kind }: SqlType, empty: Value): Fold {
  return {
    initial: Number.NaN,
    add: ofNumbers(foldExtreme(sign)),
    result: (total) => (Number.isNaN(total) ? empty : kind === "Double" ? total : BigInt(total)),
  };
}

/** Aggregates only the rows for which the last argument is true. */
export function conditionalFold(fold: Fold): Fold {
  const add: Fold["add"] = (tallies, groups, length, given) => {
    const condition = numbersOf(given.at(-1));
    const vector = given.length > 1 ? given[0] : undefined;
    const values = vector && numbersOf(vector);
    const someGroups = new Uint32Array(length);
    const some = new Float64Array(length);
    let count = 0;
    for (let at = 0; at < length; at += 1) {
      if (condition[at] === 0) continue;
      someGroups[count] = groups[at] ?? 0;
      some[count] = values?.[at] ?? 0;
      count += 1;
    }
    fold.add(tallies, someGroups, count, [{ kind: "numbers", values: some }]);
  };
  return { ...fold, add };
}
