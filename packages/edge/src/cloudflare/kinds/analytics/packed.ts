/** A column of a block with the narrowest sufficient integer width, in the byte order of the machine. */
import { encodeTexts, numberVector, type Vector } from "./batch.ts";

export interface Packed {
  /** Added to each value. */
  base: number;
  /** Bytes of each value: 0 when all are equal; 1, 2 or 4 for integers relative to `base`; 8 for other numbers. */
  width: number;
  /** Aligned to `width` in its buffer. */
  bytes: Uint8Array<ArrayBuffer>;
  /** Dictionary of the values. Default: they are numbers. */
  texts?: readonly string[];
}

const LISTS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: Float64Array } as const;

export function packNumbers(values: ArrayLike<number>): Packed {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let areWhole = true;
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? 0;
    // An integer type would lose the sign of -0.
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
  const { codes, texts } = encodeTexts(values);
  return { ...packNumbers(codes), texts };
}

/** Buffers that are reused for each batch. */
export interface VectorBuffer {
  values: Float64Array;
  codes: Uint32Array;
}

export function allocateVector(length: number, isText: boolean): VectorBuffer {
  return { values: new Float64Array(isText ? 0 : length), codes: new Uint32Array(isText ? length : 0) };
}

/** Unpacks the values from `from` to `to` (exclusive) into `into`. */
export function unpackNumbers(packed: Packed, from: number, to: number, into: VectorBuffer): Vector {
  const { texts, width, base } = packed;
  const { values, codes } = into;
  fillUnpacked(texts === undefined ? values : codes, packed, from, to - from);
  if (texts === undefined) return numberVector(values, width === 0 ? base : undefined);
  return { kind: "texts", codes, texts };
}

function fillUnpacked(
  into: Float64Array | Uint32Array,
  { base, width, bytes }: Packed,
  from: number,
  length: number,
): void {
  if (!isWidth(width)) {
    into.fill(base, 0, length);
    return;
  }
  into.set(new LISTS[width](bytes.buffer, bytes.byteOffset + from * width, length));
  if (base !== 0) for (let at = 0; at < length; at += 1) into[at] = (into[at] ?? 0) + base;
}

const isWidth = (width: number): width is keyof typeof LISTS => Object.hasOwn(LISTS, width);
