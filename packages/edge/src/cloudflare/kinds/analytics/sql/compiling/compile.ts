import { functionNamed } from "../functions/catalogue.ts";
import { type Applied, type Compiled, cannotUse, checkLength, type Row } from "../functions/function.ts";
import { printExpression } from "../reading/printed.ts";
import type { Call, Expression } from "../reading/syntax.ts";
import { invalidInput } from "../sql-error.ts";
import { partOf } from "../values/calendar.ts";
import { BOOLEAN, DOUBLE, INTERVAL, integerOf, type SqlType, STRING, TRUTH, UINT16 } from "../values/types.ts";
import { asInteger, asText, keyOf, type Value } from "../values/values.ts";
import { wallTime } from "../values/zones.ts";
import { isLike } from "./like.ts";
import { applyMinus, applyNot, applyOperator, comparisonOf, sameKind } from "./operators.ts";
import {
  constantVector,
  type Fill,
  fillBetween,
  filledVector,
  hasVector,
  numberIn,
  textIs,
  type VectorOf,
} from "./vectors.ts";

/** Resolves the names of an expression. */
export interface Scope {
  /** Seconds since the epoch. */
  now: bigint;
  column: (name: string) => Compiled | undefined;
  /** Replaces a whole expression, such as one that is grouped by. */
  whole?: (expression: Expression) => Compiled | undefined;
  /** Compiled expressions by their text, so that duplicates are evaluated once. */
  made?: Map<string, Compiled>;
  /** Compiles a call of an aggregate function; returns undefined for other functions. @throws SqlError where aggregates are not allowed */
  aggregate: (call: Call) => Compiled | undefined;
}

export function compileExpression(expression: Expression, scope: Scope): Compiled {
  const { made } = scope;
  if (made === undefined) return compileUncached(expression, scope);
  const text = printExpression(expression);
  const known = made.get(text) ?? compileUncached(expression, scope);
  made.set(text, known);
  return known;
}

function compileUncached(expression: Expression, scope: Scope): Compiled {
  const whole = scope.whole?.(expression);
  if (whole !== undefined) return whole;
  const text = printExpression(expression);
  const part = (one: Expression) => compileExpression(one, scope);
  switch (expression.kind) {
    case "integer":
      return compileLiteral(integerOf(expression.value), expression.value);
    case "double":
      return compileLiteral(DOUBLE, expression.value);
    case "string":
      return compileLiteral(STRING, expression.value);
    case "boolean":
      return compileLiteral(BOOLEAN, expression.value);
    case "interval":
      return compileLiteral(INTERVAL, { count: expression.count, unit: expression.unit });
    case "column": {
      const column = scope.column(expression.name);
      // The error text of the live service, according to public reports.
      if (column === undefined) throw invalidInput(`unable to find type of column: ${text}`);
      return column;
    }
    case "call":
      return scope.aggregate(expression) ?? compileCall(expression, scope);
    case "not":
    case "negate": {
      const of = part(expression.of);
      return compileApplied(expression.kind === "not" ? applyNot(of, text) : applyMinus(of, text), [of]);
    }
    case "binary": {
      const [left, right] = [part(expression.left), part(expression.right)];
      return compileApplied(applyOperator(expression.operator, left, right, text), [left, right]);
    }
    case "in":
      return compileIn(part(expression.of), expression.list.map(part), text);
    case "between": {
      const [of, from, to] = [part(expression.of), part(expression.from), part(expression.to)];
      const [after, before] = [comparisonOf(of.type, from.type, text), comparisonOf(of.type, to.type, text)];
      const run = ([value = 0n, low = 0n, high = 0n]: readonly Value[]) =>
        after(value, low) >= 0 && before(value, high) <= 0;
      return compileApplied({ type: TRUTH, fill: of.type.kind === "String" ? undefined : fillBetween, run }, [
        of,
        from,
        to,
      ]);
    }
    case "like":
      return compileLike(part(expression.of), part(expression.pattern), expression.ignoresCase, text);
    case "extract": {
      const from = part(expression.from);
      const { type } = from;
      if (type.kind !== "DateTime") throw cannotUse({ text }, type, 0);
      const run = ([value]: readonly Value[]) => partOf(wallTime(asInteger(value), type.zone), expression.unit);
      return compileApplied({ type: UINT16, run }, [from]);
    }
  }
}

function compileLiteral(type: SqlType, value: Value): Compiled {
  return compileConstant(type, () => value, constantVector(value));
}

function compileConstant(type: SqlType, evaluate: () => Value, vector: VectorOf | undefined): Compiled {
  return { type, isConstant: true, evaluate, ...(vector && { vector }) };
}

function compileCall(call: Call, scope: Scope): Compiled {
  const definition = functionNamed(call.name);
  // The error text of the live service, according to public reports.
  if (definition === undefined) throw invalidInput(`unknown function call: ${call.name}`);
  const text = printExpression(call);
  if (call.distinct || call.parameters.length > 0)
    throw invalidInput(`${call.name} is not an aggregate function in ${text}`);
  checkCount(call, definition);
  const given = call.arguments.map((one) => compileExpression(one, scope));
  return compileApplied(definition.apply({ text, arguments: given, now: scope.now }), given);
}

export function checkCount(call: Call, { least, most }: { least: number; most: number }): void {
  const count = call.arguments.length;
  if (count >= least && count <= most) return;
  const wanted = least === most ? String(least) : `${least} to ${most}`;
  throw invalidInput(`wrong number of arguments in ${printExpression(call)}: ${count} given, ${wanted} expected`);
}

/** A result of constants is a constant, evaluated on first use. */
function compileApplied(applied: Applied, of: readonly Compiled[]): Compiled {
  const { type } = applied;
  const isText = type.kind === "String";
  const answer =
    "run" in applied
      ? (row: Row) => applied.run(of.map((one) => one.evaluate(row)))
      : (row: Row) => applied.lazily((at) => of[at]?.evaluate(row) ?? 0n);
  const evaluate = (row: Row) => {
    const value = answer(row);
    if (isText) checkLength(asText(value).length);
    return value;
  };
  if (!of.every(({ isConstant }) => isConstant)) {
    const vector = applied.fill && hasVector(type) ? filledVector(applied.fill, of) : undefined;
    return { type, isConstant: false, evaluate, ...(vector && { vector }) };
  }
  let value: Value | undefined;
  const once = () => {
    value ??= evaluate([]);
    return value;
  };
  return compileConstant(type, once, hasVector(type) ? vectorOfConstant(once) : undefined);
}

/** A constant that fails has no vector: its row may never be evaluated. */
function vectorOfConstant(evaluate: () => Value): VectorOf | undefined {
  try {
    return constantVector(evaluate());
  } catch {
    return undefined;
  }
}

function compileIn(of: Compiled, list: readonly Compiled[], text: string): Compiled {
  for (const { type } of list) sameKind(of.type, type, text);
  const isMixed = list.some(({ type }) => type.kind !== of.type.kind);
  const isConstant = list.every((one) => one.isConstant);
  if (isConstant && !isMixed) {
    const known = new Set(list.map((one) => keyOf([one.evaluate([])])));
    const fill = memberFill(
      of.type,
      list.map((one) => one.evaluate([])),
    );
    return compileApplied({ type: TRUTH, fill, run: ([value = 0n]) => known.has(keyOf([value])) }, [of]);
  }
  const tests = list.map((one) => comparisonOf(of.type, one.type, text));
  const run = ([value = 0n, ...others]: readonly Value[]) =>
    others.some((other, at) => tests[at]?.(value, other) === 0);
  return compileApplied({ type: TRUTH, run }, [of, ...list]);
}

function memberFill({ kind }: SqlType, list: readonly Value[]): Fill {
  if (kind !== "String") return numberIn(new Set(list.map(Number)));
  const known = new Set(list);
  return textIs((text) => known.has(text));
}

function compileLike(of: Compiled, pattern: Compiled, ignoresCase: boolean, text: string): Compiled {
  if (of.type.kind !== "String") throw cannotUse({ text }, of.type, 0);
  if (pattern.type.kind !== "String") throw cannotUse({ text }, pattern.type, 1);
  const characters = (value: Value | undefined) => [...(ignoresCase ? asText(value).toLowerCase() : asText(value))];
  if (!pattern.isConstant) {
    return compileApplied({ type: TRUTH, run: ([value, by]) => isLike(characters(value), characters(by)) }, [
      of,
      pattern,
    ]);
  }
  const fixed = characters(pattern.evaluate([]));
  return compileApplied({ type: TRUTH, run: ([value]) => isLike(characters(value), fixed) }, [of]);
}
