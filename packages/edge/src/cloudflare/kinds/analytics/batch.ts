/** `values` can be longer than the batch. */
export interface Numbers {
  kind: "numbers";
  values: Float64Array;
  /** The value of every row, if known. */
  same?: number;
}

/** Dictionary-encoded text. The dictionary of a block is one object, so results for it can be cached by identity. */
export interface Texts {
  kind: "texts";
  codes: Uint32Array;
  texts: readonly string[];
}

export type Vector = Numbers | Texts;

export interface Batch {
  length: number;
  columns: readonly Vector[];
}

/** Bounds the time of one step and the memory of each column. */
export const BATCH_ROWS = 2_048;

export function numberVector(values: Float64Array, same?: number): Numbers {
  return same === undefined ? { kind: "numbers", values } : { kind: "numbers", values, same };
}

export function encodeTexts(values: readonly string[]): Texts {
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

export function selectRows({ columns }: Batch, places: Uint32Array): Batch {
  return { length: places.length, columns: columns.map((column) => selectValues(column, places)) };
}

function selectValues(column: Vector, places: Uint32Array): Vector {
  const { length } = places;
  if (column.kind === "numbers") {
    const { values } = column;
    const some = new Float64Array(length);
    for (let at = 0; at < length; at += 1) some[at] = values[places[at] ?? 0] ?? 0;
    return numberVector(some, column.same);
  }
  const { codes, texts } = column;
  const some = new Uint32Array(length);
  for (let at = 0; at < length; at += 1) some[at] = codes[places[at] ?? 0] ?? 0;
  return { kind: "texts", codes: some, texts };
}
