/** Prints equal expressions as equal text, with names in double quotes like Cloudflare's error messages. */
import type { Expression } from "./syntax.ts";

export function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case "integer":
      return String(expression.value);
    case "double":
      return Number.isInteger(expression.value) ? expression.value.toFixed(1) : String(expression.value);
    case "string":
      return `'${expression.value.replaceAll("'", "''")}'`;
    case "boolean":
      return String(expression.value);
    case "interval":
      return `INTERVAL '${expression.count}' ${expression.unit}`;
    case "column":
      return `"${expression.name.replaceAll('"', '""')}"`;
    case "call": {
      const parameters = expression.parameters.length === 0 ? "" : `(${printList(expression.parameters)})`;
      return `${expression.name}${parameters}(${expression.distinct ? "DISTINCT " : ""}${printList(expression.arguments)})`;
    }
    case "not":
      return `NOT (${printExpression(expression.of)})`;
    case "negate":
      return `-(${printExpression(expression.of)})`;
    case "binary":
      return `(${printExpression(expression.left)} ${expression.operator} ${printExpression(expression.right)})`;
    case "in":
      return `(${printExpression(expression.of)} IN (${printList(expression.list)}))`;
    case "between":
      return `(${printExpression(expression.of)} BETWEEN ${printExpression(expression.from)} AND ${printExpression(expression.to)})`;
    case "like": {
      const operator = expression.ignoresCase ? "ILIKE" : "LIKE";
      return `(${printExpression(expression.of)} ${operator} ${printExpression(expression.pattern)})`;
    }
    case "extract":
      return `extract(${expression.unit} FROM ${printExpression(expression.from)})`;
  }
}

function printList(expressions: readonly Expression[]): string {
  return expressions.map(printExpression).join(", ");
}
