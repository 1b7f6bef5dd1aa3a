import type { IntervalUnit } from "../reading/syntax.ts";

export interface Interval {
  count: bigint;
  unit: IntervalUnit;
}

/** Integers and seconds of dates are bigints; doubles are numbers. */
export type Value = bigint | number | string | boolean | Interval | readonly Value[];

export function asInteger(value: Value | undefined): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n;
  if (typeof value === "boolean") return value ? 1n : 0n;
  throw new Error("the value is not an integer");
}

export function asDouble(value: Value | undefined): number {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  throw new Error("the value is not a number");
}

export function asText(value: Value | undefined): string {
  if (typeof value === "string") return value;
  throw new Error("the value is not a text");
}

export function asTruth(value: Value | undefined): boolean {
  if (typeof value === "boolean") return value;
  if (typeof value === "bigint") return value !== 0n;
  if (typeof value === "number") return value !== 0;
  throw new Error("the value is not a boolean");
}

export function asInterval(value: Value | undefined): Interval {
  if (typeof value === "object" && "unit" in value) return value;
  throw new Error("the value is not an interval");
}

/** Negative when `a` sorts first. Both have the same type; NaN sorts last. */
export function compareValues(a: Value, b: Value): number {
  if (typeof a === "string" && typeof b === "string") return a === b ? 0 : bytesBefore(a, b) ? -1 : 1;
  if (a === b) return 0;
  if (typeof a === "number" && Number.isNaN(a)) return typeof b === "number" && Number.isNaN(b) ? 0 : 1;
  if (typeof b === "number" && Number.isNaN(b)) return -1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** ClickHouse compares bytes; the order of UTF-16 differs outside of the basic plane. */
function bytesBefore(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    if (a.charCodeAt(at) !== b.charCodeAt(at)) return (a.codePointAt(at) ?? 0) < (b.codePointAt(at) ?? 0);
  }
  return a.length < b.length;
}

/** Returns a text that is unique among values of the same types. */
export function keyOf(values: readonly Value[]): string {
  return values.map(oneKey).join("");
}

function oneKey(value: Value): string {
  const text =
    typeof value === "object" ? ("unit" in value ? `${value.count} ${value.unit}` : keyOf(value)) : String(value);
  return `${text.length}:${text}`;
}
