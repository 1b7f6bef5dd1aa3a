import { type Applied, type Compiled, cannotUse } from "../functions/function.ts";
import { integerQuotient } from "../functions/maths.ts";
import type { BinaryOperator } from "../reading/syntax.ts";
import { invalidInput } from "../sql-error.ts";
import { addInterval } from "../values/calendar.ts";
import {
  commonType,
  DOUBLE,
  type IntegerType,
  integerType,
  type SqlType,
  TRUTH,
  UTC,
  widerBits,
  widestBits,
  wrapInteger,
} from "../values/types.ts";
import { asDouble, asInteger, asInterval, asText, asTruth, compareValues, type Value } from "../values/values.ts";
import {
  CONNECTIONS,
  DOUBLE_ARITHMETIC,
  type Fill,
  INTEGER_CONNECTIONS,
  inversion,
  NUMBER_COMPARISONS,
  opposite,
  textIs,
} from "./vectors.ts";

const isNumber = ({ kind }: SqlType) => kind === "Integer" || kind === "Double";

export function applyOperator(operator: BinaryOperator, left: Compiled, right: Compiled, text: string): Applied {
  if (operator === "AND" || operator === "OR") return applyConnective(operator, [left.type, right.type], text);
  const types = [left.type, right.type] as const;
  if (operator === "+" || operator === "-") {
    const time = movedTime(operator, ...types);
    if (time !== undefined) return time;
  }
  if (operator === "+" || operator === "-" || operator === "*" || operator === "/" || operator === "%") {
    return applyArithmetic(operator, ...types, text);
  }
  const test = COMPARISONS[operator];
  const compare = comparisonOf(...types, text);
  const fill = left.type.kind === "String" ? textComparison(operator, left, right) : NUMBER_COMPARISONS[operator];
  return { type: TRUTH, fill, run: ([a = 0n, b = 0n]) => test(compare(a, b)) };
}

/** Compares text with a constant for equality only; other comparisons are too slow for one turn. */
function textComparison(operator: Comparison, left: Compiled, right: Compiled): Fill | undefined {
  const [of, constant] = left.isConstant ? [right, left] : [left, right];
  if ((operator !== "=" && operator !== "!=") || !constant.isConstant || constant.vector === undefined)
    return undefined;
  const wanted = asText(constant.evaluate([]));
  const fill = textIs(operator === "=" ? (text) => text === wanted : (text) => text !== wanted);
  return of === right ? (into, length, given) => fill(into, length, given.slice(1)) : fill;
}

function applyConnective(operator: "AND" | "OR", types: readonly SqlType[], text: string): Applied {
  for (const [at, type] of types.entries()) {
    if (type.kind !== "Boolean" && type.kind !== "Integer") throw cannotUse({ text }, type, at);
  }
  const fill = (types.every(({ kind }) => kind === "Boolean") ? CONNECTIONS : INTEGER_CONNECTIONS)[operator];
  if (operator === "AND") return { type: TRUTH, fill, lazily: (value) => asTruth(value(0)) && asTruth(value(1)) };
  return { type: TRUTH, fill, lazily: (value) => asTruth(value(0)) || asTruth(value(1)) };
}

type Comparison = "=" | "!=" | "<" | "<=" | ">" | ">=";
const COMPARISONS: Readonly<Record<Comparison, (order: number) => boolean>> = {
  "=": (order) => order === 0,
  "!=": (order) => order !== 0,
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

/** The order of NaN: neither equal, less nor greater. */
const NONE = Number.NaN;

/** Returns the comparison of two types. @throws SqlError when they are not comparable */
export function comparisonOf(a: SqlType, b: SqlType, text: string): (a: Value, b: Value) => number {
  if (isNumber(a) && isNumber(b)) {
    return (left, right) => (Number.isNaN(left) || Number.isNaN(right) ? NONE : compareValues(left, right));
  }
  const isTime = ({ kind }: SqlType) => kind === "DateTime" || kind === "Date";
  if ((a.kind === b.kind && a.kind !== "Array" && a.kind !== "Interval") || (isTime(a) && isTime(b)))
    return compareValues;
  throw invalidInput(`cannot compare ${a.kind} with ${b.kind} in ${text}`);
}

/** Adds or subtracts an interval; undefined for other types. */
function movedTime(operator: "+" | "-", left: SqlType, right: SqlType): Applied | undefined {
  if (right.kind !== "Interval" || left.kind !== "DateTime") return undefined;
  const direction = operator === "+" ? 1n : -1n;
  return { type: left, run: ([time, by]) => addInterval(asInteger(time), asInterval(by), direction, left.zone ?? UTC) };
}

type Arithmetic = "+" | "-" | "*" | "/" | "%";

function applyArithmetic(operator: Arithmetic, left: SqlType, right: SqlType, text: string): Applied {
  for (const [at, type] of [left, right].entries()) if (!isNumber(type)) throw cannotUse({ text }, type, at);
  if (left.kind === "Integer" && right.kind === "Integer" && operator !== "/") {
    const type = resultOf(operator, left, right);
    const compute = INTEGERS[operator];
    // The result of two narrow integers fits its type. A remainder can fail.
    const fill = operator === "%" ? undefined : DOUBLE_ARITHMETIC[operator];
    return { type, fill, run: ([a, b]) => compute(asInteger(a), asInteger(b), type) };
  }
  const compute = DOUBLES[operator];
  return { type: DOUBLE, fill: DOUBLE_ARITHMETIC[operator], run: ([a, b]) => compute(asDouble(a), asDouble(b)) };
}

function resultOf(operator: Exclude<Arithmetic, "/">, left: IntegerType, right: IntegerType): IntegerType {
  const isSigned = left.signed || right.signed;
  if (operator === "%") return integerType(left.signed ? widerBits(right.bits) : right.bits, left.signed);
  return integerType(widerBits(widestBits(left.bits, right.bits)), isSigned || operator === "-");
}

const INTEGERS: Readonly<Record<Exclude<Arithmetic, "/">, (a: bigint, b: bigint, type: IntegerType) => bigint>> = {
  "+": (a, b, type) => wrapInteger(a + b, type),
  "-": (a, b, type) => wrapInteger(a - b, type),
  "*": (a, b, type) => wrapInteger(a * b, type),
  "%": (a, b, type) => wrapInteger(a - integerQuotient(a, b, integerType(64, true)) * b, type),
};

const DOUBLES: Readonly<Record<Arithmetic, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
};

export function applyMinus(of: Compiled, text: string): Applied {
  const { type } = of;
  if (type.kind === "Double") return { type, fill: opposite, run: ([value]) => -asDouble(value) };
  if (type.kind !== "Integer") throw cannotUse({ text }, type, 0);
  const result = integerType(type.signed ? type.bits : widerBits(type.bits), true);
  return { type: result, run: ([value]) => wrapInteger(-asInteger(value), result) };
}

export function applyNot(of: Compiled, text: string): Applied {
  if (of.type.kind !== "Boolean" && of.type.kind !== "Integer") throw cannotUse({ text }, of.type, 0);
  return { type: TRUTH, fill: inversion, run: ([value]) => !asTruth(value) };
}

export function sameKind(a: SqlType, b: SqlType, text: string): void {
  if (commonType(a, b) === undefined) comparisonOf(a, b, text);
}
