/**
 * Vectorized equivalents of frequent expressions, which cannot fail: both sides of `OR` and `IF` are computed.
 * Each operator has its own loop, because a call for each value is several times slower.
 */
import { BATCH_ROWS, type Batch, type Numbers, numberVector, type Texts, type Vector } from "../../batch.ts";
import type { SqlType } from "../values/types.ts";
import type { Value } from "../values/values.ts";

/** Computes `length` values from those of the parts, in `into` or by returning an existing vector. True is 1. */
export type Fill = (into: Float64Array, length: number, given: readonly Vector[]) => Numbers;

/** Computes the values of a batch. They are valid until the next call with another batch. */
export type VectorOf = (batch: Batch) => Vector;

/** Returns whether a double or a dictionary represents the values of the type exactly. */
export function hasVector(type: SqlType): boolean {
  if (type.kind === "Integer") return type.bits <= 32;
  return type.kind !== "Array" && type.kind !== "Interval";
}

export function valueAt(vector: Vector, at: number, type: SqlType): Value {
  if (vector.kind === "texts") return textAt(vector, at);
  const value = vector.values[at] ?? 0;
  if (type.kind === "Double") return value;
  return type.kind === "Boolean" ? value !== 0 : BigInt(value);
}

export function* rowsOf({ length, columns }: Batch, types: readonly SqlType[]): Generator<readonly Value[]> {
  const readers = columns.map((column, place) => {
    const type = types[place];
    if (type === undefined) throw new Error("a column has no type");
    return (at: number) => valueAt(column, at, type);
  });
  for (let at = 0; at < length; at += 1) yield readers.map((read) => read(at));
}

function textAt({ codes, texts }: Texts, at: number): string {
  return texts[codes[at] ?? 0] ?? "";
}

/** Returns undefined when no double represents the value exactly. */
export function constantVector(value: Value): VectorOf | undefined {
  if (typeof value === "string") {
    return lazyVector(() => ({ kind: "texts", codes: new Uint32Array(BATCH_ROWS), texts: [value] }));
  }
  // Intervals are parameters of a computation, not data.
  if (typeof value === "object" && "unit" in value) return () => numberVector(new Float64Array());
  if (typeof value === "object" || (typeof value === "bigint" && !Number.isSafeInteger(Number(value))))
    return undefined;
  return lazyVector(() => numberVector(new Float64Array(BATCH_ROWS).fill(Number(value)), Number(value)));
}

function lazyVector(make: () => Vector): VectorOf {
  let made: Vector | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Returns undefined when a part has no vector. */
export function filledVector(fill: Fill, of: readonly { vector?: VectorOf }[]): VectorOf | undefined {
  const parts = of.flatMap(({ vector }) => vector ?? []);
  if (parts.length < of.length) return undefined;
  let into: Float64Array | undefined;
  let filled: { batch: Batch; made: Numbers } | undefined;
  return (batch) => {
    // Duplicate expressions share one object.
    if (filled?.batch === batch) return filled.made;
    into ??= new Float64Array(BATCH_ROWS);
    const given = parts.map((part) => part(batch));
    filled = { batch, made: fill(into, batch.length, given) };
    return filled.made;
  };
}

export function numbersOf(vector: Vector | undefined): Float64Array {
  return asNumbers(vector).values;
}

export function asNumbers(vector: Vector | undefined): Numbers {
  if (vector?.kind === "numbers") return vector;
  throw new Error("the vector has no numbers");
}

const unaryFill =
  (loop: (into: Float64Array, length: number, a: Float64Array) => void): Fill =>
  (into, length, [a]) => {
    loop(into, length, numbersOf(a));
    return numberVector(into);
  };

const binaryFill =
  (loop: (into: Float64Array, length: number, a: Float64Array, b: Float64Array) => void): Fill =>
  (into, length, [a, b]) => {
    loop(into, length, numbersOf(a), numbersOf(b));
    return numberVector(into);
  };

/** Marks constant results: points are sorted by time, so a batch often lies completely before or after an instant. */
const booleanFill =
  (fill: Fill): Fill =>
  (into, length, given) => {
    fill(into, length, given);
    let count = 0;
    for (let at = 0; at < length; at += 1) count += into[at] ?? 0;
    return count === 0 || count === length ? numberVector(into, count === 0 ? 0 : 1) : numberVector(into);
  };

const swapOperands =
  (fill: Fill): Fill =>
  (into, length, given) =>
    fill(into, length, given.toReversed());

const binaryTest = (loop: Parameters<typeof binaryFill>[0]) => booleanFill(binaryFill(loop));

const less = binaryTest((into, length, a, b) => {
  for (let at = 0; at < length; at += 1) into[at] = (a[at] ?? 0) < (b[at] ?? 0) ? 1 : 0;
});
const lessOrEqual = binaryTest((into, length, a, b) => {
  for (let at = 0; at < length; at += 1) into[at] = (a[at] ?? 0) <= (b[at] ?? 0) ? 1 : 0;
});

export const NUMBER_COMPARISONS: Readonly<Record<"=" | "!=" | "<" | "<=" | ">" | ">=", Fill>> = {
  "=": binaryTest((into, length, a, b) => {
    for (let at = 0; at < length; at += 1) into[at] = a[at] === b[at] ? 1 : 0;
  }),
  "!=": binaryTest((into, length, a, b) => {
    for (let at = 0; at < length; at += 1) into[at] = a[at] !== b[at] ? 1 : 0;
  }),
  "<": less,
  "<=": lessOrEqual,
  ">": swapOperands(less),
  ">=": swapOperands(lessOrEqual),
};

export const DOUBLE_ARITHMETIC: Readonly<Record<"+" | "-" | "*" | "/" | "%", Fill>> = {
  "+": binaryFill((into, length, a, b) => {
    for (let at = 0; at < length; at += 1) into[at] = (a[at] ?? 0) + (b[at] ?? 0);
  }),
  "-": binaryFill((into, length, a, b) => {
    for (let at = 0; at < length; at += 1) into[at] = (a[at] ?? 0) - (b[at] ?? 0);
  }),
  "*": binaryFill((into, length, a, b) => {
    for (let at = 0; at < length; at += 1) into[at] = (a[at] ?? 0) * (b[at] ?? 0);
  }),
  "/": binaryFill((into, length, a, b) => {
    for (let at = 0; at < length; at += 1) into[at] = (a[at] ?? 0) / (b[at] ?? 0);
  }),
  "%": binaryFill((into, length, a, b) => {
    for (let at = 0; at < length; at += 1) into[at] = (a[at] ?? 0) % (b[at] ?? 0);
  }),
};

const both = binaryFill((into, length, a, b) => {
  for (let at = 0; at < length; at += 1) into[at] = a[at] !== 0 && b[at] !== 0 ? 1 : 0;
});
const either = binaryFill((into, length, a, b) => {
  for (let at = 0; at < length; at += 1) into[at] = a[at] !== 0 || b[at] !== 0 ? 1 : 0;
});

/** For integers: any value but 0 is true. */
export const INTEGER_CONNECTIONS: Readonly<Record<"AND" | "OR", Fill>> = { AND: both, OR: either };

/** For 0 and 1 only. */
export const CONNECTIONS: Readonly<Record<"AND" | "OR", Fill>> = {
  AND: (into, length, given) => {
    const [a, b] = [asNumbers(given[0]), asNumbers(given[1])];
    if (a.same === 0 || b.same === 1) return a;
    return b.same === 0 || a.same === 1 ? b : both(into, length, given);
  },
  OR: (into, length, given) => {
    const [a, b] = [asNumbers(given[0]), asNumbers(given[1])];
    if (a.same === 1 || b.same === 0) return a;
    return b.same === 1 || a.same === 0 ? b : either(into, length, given);
  },
};

export const inversion = booleanFill(
  unaryFill((into, length, a) => {
    for (let at = 0; at < length; at += 1) into[at] = a[at] === 0 ? 1 : 0;
  }),
);

export const opposite = unaryFill((into, length, a) => {
  for (let at = 0; at < length; at += 1) into[at] = -(a[at] ?? 0);
});

/** For numbers only. */
export const fillChoice: Fill = (into, length, [condition, yes, no]) => {
  const { values: isTrue, same } = asNumbers(condition);
  if (same !== undefined) return asNumbers(same === 0 ? no : yes);
  const [a, b] = [numbersOf(yes), numbersOf(no)];
  for (let at = 0; at < length; at += 1) into[at] = (isTrue[at] === 0 ? b[at] : a[at]) ?? 0;
  return numberVector(into);
};

export const fillBetween: Fill = (into, length, [of, from, to]) => {
  const [values, low, high] = [numbersOf(of), numbersOf(from), numbersOf(to)];
  for (let at = 0; at < length; at += 1) {
    const value = values[at] ?? 0;
    into[at] = value >= (low[at] ?? 0) && value <= (high[at] ?? 0) ? 1 : 0;
  }
  return numberVector(into);
};

/** @param step seconds since the epoch */
export function startOfSteps(step: number, last: number): Fill {
  return unaryFill((into, length, a) => {
    for (let at = 0; at < length; at += 1) {
      const start = Math.floor((a[at] ?? 0) / step) * step;
      into[at] = Math.min(Math.max(start, 0), last);
    }
  });
}

export function numberIn(known: ReadonlySet<number>): Fill {
  return unaryFill((into, length, a) => {
    for (let at = 0; at < length; at += 1) into[at] = known.has(a[at] ?? 0) ? 1 : 0;
  });
}

/** Tests each dictionary entry once. */
export function textIs(test: (text: string) => boolean): Fill {
  let known: { texts: readonly string[]; answers: Float64Array; same: number | undefined } | undefined;
  return (into, length, [vector]) => {
    if (vector?.kind !== "texts") throw new Error("the vector has no texts");
    const { codes, texts } = vector;
    if (known?.texts !== texts) {
      const answers = Float64Array.from(texts, (text) => (test(text) ? 1 : 0));
      known = { texts, answers, same: answers.every((answer) => answer === answers[0]) ? answers[0] : undefined };
    }
    const { answers, same } = known;
    if (same !== undefined) return numberVector(into.fill(same, 0, length), same);
    for (let at = 0; at < length; at += 1) into[at] = answers[codes[at] ?? 0] ?? 0;
    return numberVector(into);
  };
}
