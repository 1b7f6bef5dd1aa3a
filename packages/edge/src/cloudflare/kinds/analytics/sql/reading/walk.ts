import type { Expression } from "./syntax.ts";

function childExpressions(expression: Expression): Expression[] {
  return Object.values(expression)
    .flat()
    .filter((part): part is Expression => typeof part === "object");
}

/** Returns the expression and its descendants, in the order of their text. */
export function allExpressions(expression: Expression): Expression[] {
  return [expression, ...childExpressions(expression).flatMap(allExpressions)];
}

export function firstColumn(expression: Expression): string | undefined {
  return allExpressions(expression).find((one) => one.kind === "column")?.name;
}

/** Returns the operands of top-level `AND`s. */
export function splitConjuncts(condition: Expression | undefined): Expression[] {
  if (condition === undefined) return [];
  if (condition.kind !== "binary" || condition.operator !== "AND") return [condition];
  return [condition.left, condition.right].flatMap(splitConjuncts);
}
