/** Tells the rows of a batch apart by their keys. */
import type { Vector } from "../../batch.ts";

export interface Distinct {
  /** Of each row a number, alike for those whose keys are: 0, 1 and on in the order in which each comes first. */
  numbers: Uint32Array;
  /** Where each comes first. */
  firsts: readonly number[];
}

/** Pairs of a group and a key's value for which a list is kept rather than a map. */
const MOST_LISTED = 2 ** 20;

export function distinct(keys: readonly Vector[], length: number): Distinct {
  let found: Distinct = { numbers: new Uint32Array(length), firsts: [0] };
  for (const key of keys) {
    const { codes, count } =
      key.kind === "texts" ? { codes: key.codes, count: key.texts.length } : coded(key.values, length);
    found = crossed(found, codes, count);
  }
  return found;
}

function coded(values: Float64Array, length: number): { codes: Uint32Array; count: number } {
  const codes = new Uint32Array(length);
  const known = new Map<number, number>();
  let [last, lastCode] = [Number.NaN, 0];
  for (let at = 0; at < length; at += 1) {
    const value = values[at] ?? 0;
    // Times come in their order, and many are of one interval.
    if (value !== last) {
      lastCode = known.get(value) ?? known.size;
      known.set(value, lastCode);
      last = value;
    }
    codes[at] = lastCode;
  }
  return { codes, count: known.size };
}

/** By what was told apart before, and by codes below `count` too. */
function crossed(before: Distinct, codes: Uint32Array, count: number): Distinct {
  const { length } = before.numbers;
  const numbers = new Uint32Array(length);
  const firsts: number[] = [];
  const pairs = before.firsts.length * count;
  const list = pairs <= MOST_LISTED ? new Uint32Array(pairs) : undefined;
  const map = new Map<number, number>();
  for (let at = 0; at < length; at += 1) {
    const pair = (before.numbers[at] ?? 0) * count + (codes[at] ?? 0);
    // One more than the number, since 0 is none.
    let number = (list === undefined ? map.get(pair) : list[pair]) ?? 0;
    if (number === 0) {
      number = firsts.push(at);
      if (list === undefined) map.set(pair, number);
      else list[pair] = number;
    }
    numbers[at] = number - 1;
  }
  return { numbers, firsts };
}
