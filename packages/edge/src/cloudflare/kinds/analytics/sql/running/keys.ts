/** Tells the rows of a query's batches apart by their keys. */
import { BATCH_ROWS, type Texts, type Vector } from "../../batch.ts";

/** Each key's values, and what came of values together, have numbers: 0, 1 and on in the order in which each comes first. */
export class Keys {
  readonly #columns: readonly KeyColumn[];

  /** @param count of the keys */
  constructor(count: number) {
    this.#columns = Array.from({ length: count }, () => new KeyColumn());
  }

  /** Of each row a number, which is another's of any batch when their keys are alike. They hold until the next batch's are asked for. */
  numbers(keys: readonly Vector[], length: number): Uint32Array {
    const [first, ...others] = this.#columns.map((column, at) => ({ column, codes: column.codes(keys[at], length) }));
    if (first === undefined) return new Uint32Array(length);
    return others.reduce((numbers, { column, codes }) => column.joined(numbers, codes, length), first.codes);
  }
}

class KeyColumn {
  readonly #texts = new Map<string, number>();
  readonly #numbers = new Map<number, number>();
  /** Codes of a block's texts, -1 where none came yet. */
  #known: { texts: readonly string[]; codes: Int32Array } | undefined;
  /** By the number of the keys before, and by the code of this. */
  readonly #pairs: Map<number, number>[] = [];
  #joined = 0;
  readonly #codes = new Uint32Array(BATCH_ROWS);
  readonly #together = new Uint32Array(BATCH_ROWS);

  codes(vector: Vector | undefined, length: number): Uint32Array {
    if (vector === undefined) throw new Error("a batch lacks a key");
    return vector.kind === "texts" ? this.#ofTexts(vector, length) : this.#ofNumbers(vector.values, length);
  }

  /** Each text of a block is looked for once. */
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
      // Times come in their order, and many are of one interval.
      if (value !== last) {
        code = codeOf(this.#numbers, value);
        last = value;
      }
      codes[at] = code;
    }
    return codes;
  }

  /** By the keys before and this one. */
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
