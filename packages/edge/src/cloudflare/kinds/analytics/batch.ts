/** Many rows at once, column by column. */

/** May have more values than its batch has rows. */
export interface Numbers {
  kind: "numbers";
  values: Float64Array;
  /** What all of them are, where that is known. */
  same?: number;
}

/** Texts by their places in a list that has each once. The list of one block is one object, so that what is made of it can be kept. */
export interface Texts {
  kind: "texts";
  codes: Uint32Array;
  texts: readonly string[];
}

export type Vector = Numbers | Texts;

export interface Batch {
  /** Rows, of which there is at least one. */
  length: number;
  columns: readonly Vector[];
}

/** Rows of a batch at most: what others wait for, and what each column of it keeps in memory, stay small. */
export const BATCH_ROWS = 2_048;

/** @param same what all of them are. Default: it is not known */
export function numbers(values: Float64Array, same?: number): Numbers {
  return same === undefined ? { kind: "numbers", values } : { kind: "numbers", values, same };
}

export function coded(values: readonly string[]): Texts {
  const codes = new Uint32Array(values.length);
  const known = new Map<string, number>();
  for (const [at, value] of values.entries()) {
    let code = known.get(value);
    if (code === undefined) {
      code = known.size;
      known.set(value, code);
    }
    codes[at] = code;
  }
  return { kind: "texts", codes, texts: [...known.keys()] };
}

/** The rows of a batch at some places. */
export function picked({ columns }: Batch, places: Uint32Array): Batch {
  return { length: places.length, columns: columns.map((column) => pickedOf(column, places)) };
}

function pickedOf(column: Vector, places: Uint32Array): Vector {
  const { length } = places;
  if (column.kind === "numbers") {
    const { values } = column;
    const some = new Float64Array(length);
    for (let at = 0; at < length; at += 1) some[at] = values[places[at] ?? 0] ?? 0;
    return numbers(some, column.same);
  }
  const { codes, texts } = column;
  const some = new Uint32Array(length);
  for (let at = 0; at < length; at += 1) some[at] = codes[places[at] ?? 0] ?? 0;
  return { kind: "texts", codes: some, texts };
}
