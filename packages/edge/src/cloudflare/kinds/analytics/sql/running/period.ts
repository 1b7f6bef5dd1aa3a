/** Derives a period from conditions on `timestamp`, so that points outside of it are not read. */
import { compileExpression } from "../compiling/compile.ts";
import type { BinaryOperator, Expression } from "../reading/syntax.ts";
import { firstColumn, splitConjuncts } from "../reading/walk.ts";
import type { Period } from "./source.ts";

const COLUMN = "timestamp";

const FLIPPED: Readonly<Partial<Record<BinaryOperator, BinaryOperator>>> = {
  "=": "=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

/** @param now seconds since the epoch @throws SqlError for an invalid constant */
export function periodOf(condition: Expression | undefined, now: bigint): Period {
  let period: Period = {};
  for (const one of splitConjuncts(condition)) {
    for (const [operator, bound] of boundsOf(one)) {
      const instant = instantOf(bound, now);
      if (instant !== undefined) period = narrowPeriod(period, operator, instant);
    }
  }
  return period;
}

function boundsOf(one: Expression): [BinaryOperator, Expression][] {
  const isColumn = (side: Expression) => side.kind === "column" && side.name === COLUMN;
  if (one.kind === "between" && isColumn(one.of)) {
    return [
      [">=", one.from],
      ["<=", one.to],
    ];
  }
  if (one.kind !== "binary") return [];
  if (isColumn(one.left)) return [[one.operator, one.right]];
  const flipped = FLIPPED[one.operator];
  return isColumn(one.right) && flipped !== undefined ? [[flipped, one.left]] : [];
}

function instantOf(expression: Expression, now: bigint): bigint | undefined {
  if (firstColumn(expression) !== undefined) return undefined;
  const { type, isConstant, evaluate } = compileExpression(expression, {
    now,
    column: () => undefined,
    aggregate: () => undefined,
  });
  const value = isConstant && (type.kind === "DateTime" || type.kind === "Date") ? evaluate([]) : undefined;
  return typeof value === "bigint" ? value : undefined;
}

function narrowPeriod({ from, to }: Period, operator: BinaryOperator, instant: bigint): Period {
  const later = (bound: bigint) => (from === undefined || bound > from ? bound : from);
  const earlier = (bound: bigint) => (to === undefined || bound < to ? bound : to);
  const starts = operator === "=" || operator === ">=" ? later(instant) : operator === ">" ? later(instant + 1n) : from;
  const ends = operator === "=" || operator === "<=" ? earlier(instant) : operator === "<" ? earlier(instant - 1n) : to;
  return { ...(starts !== undefined && { from: starts }), ...(ends !== undefined && { to: ends }) };
}
