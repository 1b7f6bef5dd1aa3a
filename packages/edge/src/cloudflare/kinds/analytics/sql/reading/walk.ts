import type { Expression } from "./syntax.ts";

function parts(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "call":
      return [...expression.parameters, ...expression.arguments];
    case "not":
    case "negate":
      return [expression.of];
    case "binary":
      return [expression.left, expression.right];
    case "in":
      return [expression.of, ...expression.list];
    case "between":
      return [expression.of, expression.from, expression.to];
    case "like":
      return [expression.of, expression.pattern];
    case "extract":
      return [expression.from];
    default:
      return [];
  }
}

/** Yields the expression and its descendants. */
export function* within(expression: Expression): Generator<Expression> {
  const left = [expression];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    yield one;
    left.push(...parts(one).toReversed());
  }
}

export function firstColumn(expression: Expression): string | undefined {
  for (const one of within(expression)) if (one.kind === "column") return one.name;
  return undefined;
}

/** Returns the operands of top-level `AND`s. */
export function conjuncts(condition: Expression | undefined): Expression[] {
  const found: Expression[] = [];
  const left = condition === undefined ? [] : [condition];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (one.kind === "binary" && one.operator === "AND") left.push(one.right, one.left);
    else found.push(one);
  }
  return found;
}
