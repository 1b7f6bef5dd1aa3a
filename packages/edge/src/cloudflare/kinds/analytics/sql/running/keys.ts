import { BATCH_ROWS, type Texts, type Vector } from "../../batch.ts";

/** Assigns consecutive numbers to values of a key and to combinations of keys, in order of first appearance. */
export class Keys {
  readonly #columns: readonly KeyColumn[];

  constructor(count: number) {
    this.#columns = Array.from({ length: count }, () => new KeyColumn());
  }

  /** Returns the group number of each row, valid until the next call. */
  numbers(keys: readonly Vector[], length: number): Uint32Array {
    const [first, ...others] = this.#columns.map((column, at) => ({ column, codes: column.codes(keys[at], length) }));
    if (first === undefined) return new Uint32Array(length);
    return others.reduce((numbers, { column, codes }) => column.joined(numbers, codes, length), first.codes);
  }
}

class KeyColumn {
  readonly #texts = new Map<string, number>();
  readonly #numbers = new Map<number, number>();
  /** Codes of a block's dictionary; -1 for unseen texts. */
  #known: { texts: readonly string[]; codes: Int32Array } | undefined;
  /** By the number of the previous keys, then by the code of this key. */
  readonly #pairs: Map<number, number>[] = [];
  #joined = 0;
  readonly #codes = new Uint32Array(BATCH_ROWS);
  readonly #together = new Uint32Array(BATCH_ROWS);

  codes(vector: Vector | undefined, length: number): Uint32Array {
    if (vector === undefined) throw new Error("a batch lacks a key");
    return vector.kind === "texts" ? this.#ofTexts(vector, length) : this.#ofNumbers(vector.values, length);
  }

  #ofTexts({ codes: places, texts }: Texts, length: number): Uint32Array {
    if (this.#known?.texts !== texts) this.#known = { texts, codes: new Int32Array(texts.length).fill(-1) };
    const known = this.#known.codes;
    const codes = this.#codes;
    for (let at = 0; at < length; at += 1) {
      const place = places[at] ?? 0;
      let code = known[place] ?? 0;
      if (code < 0) {
        code = codeOf(this.#texts, texts[place] ?? "");
        known[place] = code;
      }
      codes[at] = code;
    }
    return codes;
  }

  #ofNumbers(values: Float64Array, length: number): Uint32Array {
    const codes = this.#codes;
    let [last, code] = [Number.NaN, 0];
    for (let at = 0; at < length; at += 1) {
      const value = values[at] ?? 0;
      // Points are sorted by time, so consecutive values are often equal.
      if (value !== last) {
        code = codeOf(this.#numbers, value);
        last = value;
      }
      codes[at] = code;
    }
    return codes;
  }

  joined(before: Uint32Array, codes: Uint32Array, length: number): Uint32Array {
    const numbers = this.#together;
    for (let at = 0; at < length; at += 1) {
      const [one, code] = [before[at] ?? 0, codes[at] ?? 0];
      let pairs = this.#pairs[one];
      if (pairs === undefined) {
        pairs = new Map();
        this.#pairs[one] = pairs;
      }
      let number = pairs.get(code);
      if (number === undefined) {
        number = this.#joined;
        this.#joined += 1;
        pairs.set(code, number);
      }
      numbers[at] = number;
    }
    return numbers;
  }
}

function codeOf<Key>(known: Map<Key, number>, key: Key): number {
  const code = known.get(key) ?? known.size;
  if (code === known.size) known.set(key, code);
  return code;
}
