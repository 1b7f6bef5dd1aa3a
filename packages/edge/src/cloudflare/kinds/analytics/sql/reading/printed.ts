/** Prints equal expressions as equal text, with names in double quotes like Cloudflare's error messages. */
import type { Expression } from "./syntax.ts";

export function printed(expression: Expression): string {
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
      const parameters = expression.parameters.length === 0 ? "" : `(${list(expression.parameters)})`;
      return `${expression.name}${parameters}(${expression.distinct ? "DISTINCT " : ""}${list(expression.arguments)})`;
    }
    case "not":
      return `NOT (${printed(expression.of)})`;
    case "negate":
      return `-(${printed(expression.of)})`;
    case "binary":
      return `(${printed(expression.left)} ${expression.operator} ${printed(expression.right)})`;
    case "in":
      return `(${printed(expression.of)} IN (${list(expression.list)}))`;
    case "between":
      return `(${printed(expression.of)} BETWEEN ${printed(expression.from)} AND ${printed(expression.to)})`;
    case "like": {
      const operator = expression.ignoresCase ? "ILIKE" : "LIKE";
      return `(${printed(expression.of)} ${operator} ${printed(expression.pattern)})`;
    }
    case "extract":
      return `extract(${expression.unit} FROM ${printed(expression.from)})`;
  }
}

function list(expressions: readonly Expression[]): string {
  return expressions.map(printed).join(", ");
}
