/** Types have Cloudflare's kinds, which error messages name, and ClickHouse's names, which results have. */
export interface IntegerType {
  kind: "Integer";
  name: string;
  bits: 8 | 16 | 32 | 64;
  signed: boolean;
}
/** Values are seconds since the epoch. */
export interface DateTimeType {
  kind: "DateTime";
  name: string;
  /** For printing and rounding. */
  zone: string;
}
export interface ArrayType {
  kind: "Array";
  name: string;
  of: SqlType;
}
export type SqlType =
  | IntegerType
  | DateTimeType
  | ArrayType
  | { kind: "Double" | "String" | "Boolean" | "Date" | "Interval"; name: string };
export type Kind = SqlType["kind"];

export const UTC = "Etc/UTC";

export const STRING: SqlType = { kind: "String", name: "String" };
export const DOUBLE: SqlType = { kind: "Double", name: "Float64" };
/** Of a literal; comparisons return `UInt8`. */
export const BOOLEAN: SqlType = { kind: "Boolean", name: "Bool" };
export const TRUTH: SqlType = { kind: "Boolean", name: "UInt8" };
export const DATE: SqlType = { kind: "Date", name: "Date" };
export const INTERVAL: SqlType = { kind: "Interval", name: "Interval" };
export const DATE_TIME = dateTime(UTC);
export const UINT8 = integerType(8, false);
export const UINT16 = integerType(16, false);
export const UINT32 = integerType(32, false);
export const UINT64 = integerType(64, false);

export function integerType(bits: IntegerType["bits"], signed: boolean): IntegerType {
  return { kind: "Integer", name: `${signed ? "Int" : "UInt"}${bits}`, bits, signed };
}

export function dateTime(zone: string): DateTimeType {
  return { kind: "DateTime", name: zone === UTC ? "DateTime" : `DateTime('${zone}')`, zone };
}

export function arrayOf(of: SqlType): ArrayType {
  return { kind: "Array", name: `Array(${of.name})`, of };
}

/** Returns the smallest type for a literal. */
export function integerOf(value: bigint): IntegerType {
  const signed = value < 0n;
  const fits = (bits: number) => (signed ? value >= -(2n ** BigInt(bits - 1)) : value < 2n ** BigInt(bits));
  return integerType(fits(8) ? 8 : fits(16) ? 16 : fits(32) ? 32 : 64, signed);
}

/** Wraps around like an integer of that width. */
export function wrapInteger(value: bigint, { bits, signed }: IntegerType): bigint {
  return signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
}

export function widerBits(bits: IntegerType["bits"]): IntegerType["bits"] {
  return bits === 8 ? 16 : bits === 16 ? 32 : 64;
}

export function widestBits(a: IntegerType["bits"], b: IntegerType["bits"]): IntegerType["bits"] {
  return a < b ? b : a;
}

/** Returns the type that holds the values of both, if there is one. */
export function commonType(a: SqlType, b: SqlType): SqlType | undefined {
  if (a.kind !== b.kind) return undefined;
  if (a.kind !== "Integer" || b.kind !== "Integer") return a;
  const signed = a.signed || b.signed;
  const needed = ({ bits, signed: own }: IntegerType) => (signed && !own ? widerBits(bits) : bits);
  return integerType(widestBits(needed(a), needed(b)), signed);
}
