/** A column of a block as bytes, no wider than its values need. In the machine's own order: the file stays on it. */
import { coded, numbers, type Vector } from "./batch.ts";

export interface Packed {
  /** What is added to each. */
  base: number;
  /** Bytes a value: 0 where all are alike, 1, 2 or 4 of a whole number from `base` on, 8 of any. */
  width: number;
  /** Of a buffer's beginning, or of a multiple of `width`. */
  bytes: Uint8Array<ArrayBuffer>;
  /** What the numbers are places in; undefined where they are the values. */
  texts?: readonly string[];
}

const LISTS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: Float64Array } as const;

export function pack(values: ArrayLike<number>): Packed {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let areWhole = true;
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? 0;
    // The sign of a zero would be lost.
    areWhole &&= Number.isSafeInteger(value) && !Object.is(value, -0);
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  const range = greatest - least;
  const width = !areWhole || range >= 2 ** 32 ? 8 : range >= 2 ** 16 ? 4 : range >= 2 ** 8 ? 2 : range > 0 ? 1 : 0;
  if (width === 0) return { base: least, width, bytes: new Uint8Array() };
  const base = width === 8 ? 0 : least;
  const list = new LISTS[width](values.length);
  for (let at = 0; at < values.length; at += 1) list[at] = (values[at] ?? 0) - base;
  return { base, width, bytes: new Uint8Array(list.buffer) };
}

export function packTexts(values: readonly string[]): Packed {
  const { codes, texts } = coded(values);
  return { ...pack(codes), texts };
}

/** Where a column's values go, of one batch after the other. */
export interface Room {
  values: Float64Array;
  codes: Uint32Array;
}

export function room(length: number, isText: boolean): Room {
  return { values: new Float64Array(isText ? 0 : length), codes: new Uint32Array(isText ? length : 0) };
}

/** The values from one place until before another, in the beginning of `into`. */
export function unpack(packed: Packed, from: number, to: number, into: Room): Vector {
  const { texts, width, base } = packed;
  const { values, codes } = into;
  fill(texts === undefined ? values : codes, packed, from, to - from);
  if (texts === undefined) return numbers(values, width === 0 ? base : undefined);
  return { kind: "texts", codes, texts };
}

function fill(into: Float64Array | Uint32Array, { base, width, bytes }: Packed, from: number, length: number): void {
  if (!isWidth(width)) {
    into.fill(base, 0, length);
    return;
  }
  into.set(new LISTS[width](bytes.buffer, bytes.byteOffset + from * width, length));
  if (base !== 0) for (let at = 0; at < length; at += 1) into[at] = (into[at] ?? 0) + base;
}

const isWidth = (width: number): width is keyof typeof LISTS => Object.hasOwn(LISTS, width);
