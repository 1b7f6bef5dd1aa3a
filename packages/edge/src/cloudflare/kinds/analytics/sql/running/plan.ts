/** Aliases are visible in `WHERE`, `GROUP BY` and `HAVING`, but not in `SELECT`; `ORDER BY` sees only result columns (public reports). */
import type { Batch, Vector } from "../../batch.ts";
import { type AggregateCall, aggregateNamed, compileAggregate, isAggregate } from "../aggregates/catalogue.ts";
import { compileExpression, type Scope } from "../compiling/compile.ts";
import { hasVector } from "../compiling/vectors.ts";
import type { Compiled, Row } from "../functions/function.ts";
import { printExpression } from "../reading/printed.ts";
import type { Call, Expression, Select, Selected } from "../reading/syntax.ts";
import { allExpressions, firstColumn, splitConjuncts } from "../reading/walk.ts";
import { invalidInput } from "../sql-error.ts";
import type { SqlType } from "../values/types.ts";
import type { Order } from "./collector.ts";
import type { Source } from "./source.ts";

export interface Plan {
  /** Source columns, in the order of the rows. */
  needed: readonly string[];
  where: readonly Compiled[];
  grouping?: { keys: readonly Compiled[]; calls: readonly AggregateCall[]; having?: Compiled };
  columns: readonly { name: string; type: SqlType; from: Compiled }[];
  order: readonly Order[];
}

const compiledSlot = (type: SqlType, at: number): Compiled => ({
  type,
  isConstant: false,
  evaluate: (row: Row) => row[at] ?? 0n,
});

/** A source column has the same index in rows and batches. */
function columnSlot(type: SqlType, at: number): Compiled {
  if (!hasVector(type)) return compiledSlot(type, at);
  const vector = ({ columns }: Batch): Vector => {
    const column = columns[at];
    if (column === undefined) throw new Error("a batch lacks a column");
    return column;
  };
  return { ...compiledSlot(type, at), vector };
}

/** @param now seconds since the epoch @throws SqlError for unknown names and mismatched types */
export function planSelect(query: Select, source: Source, now: bigint): Plan {
  const selected = selectedOf(query, source);
  const needed: string[] = [];
  const rows: Scope = {
    now,
    column: (name) => {
      const type = source.columns.get(name);
      if (type === undefined) return undefined;
      if (!needed.includes(name)) needed.push(name);
      return columnSlot(type, needed.indexOf(name));
    },
    made: new Map(),
    aggregate: refuseAggregate,
  };
  const aliased = withAliases(rows, selected, (one) => compileExpression(one, rows));
  if (query.where !== undefined) requireCondition(compileExpression(query.where, aliased), "WHERE");
  const where = splitConjuncts(query.where).map((one) => compileExpression(one, aliased));
  const isGrouped =
    query.groupBy.length > 0 ||
    query.having !== undefined ||
    selected.some(({ expression }) => containsAggregate(expression));
  const made = isGrouped
    ? planGroups(query, selected, rows, aliased, source)
    : { compiled: selected.map(({ expression }) => compileExpression(expression, rows)) };
  const columns = selected.map((one, at) => {
    const from = made.compiled[at];
    if (from === undefined) throw new Error("a column was not compiled");
    if (from.type.kind === "Interval")
      throw invalidInput(`cannot return an interval: ${printExpression(one.expression)}`);
    return { name: nameOf(one), type: from.type, from };
  });
  return {
    needed,
    where,
    ...("grouping" in made && { grouping: made.grouping }),
    columns,
    order: orderOf(query, selected, columns, now),
  };
}

function nameOf({ expression, alias }: Selected): string {
  if (alias !== undefined) return alias;
  return expression.kind === "column" ? expression.name : printExpression(expression).replaceAll('"', "");
}

function selectedOf({ columns }: Select, source: Source): readonly Selected[] {
  const selected: readonly Selected[] =
    columns === "*" ? [...source.columns.keys()].map((name) => ({ expression: { kind: "column", name } })) : columns;
  if (selected.length === 0) throw invalidInput("SELECT * needs FROM");
  const names = selected.map(nameOf);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw invalidInput(`two columns have the name ${twice}`);
  return selected;
}

function containsAggregate(expression: Expression): boolean {
  return allExpressions(expression).some(isAggregate);
}

function refuseAggregate(call: Call): undefined {
  if (isAggregate(call)) throw invalidInput(`aggregate function ${printExpression(call)} may not be used here`);
}

/** Adds aliases to a scope. */
function withAliases(scope: Scope, selected: readonly Selected[], make: (expression: Expression) => Compiled): Scope {
  const made = new Map<string, Compiled>();
  const column = (name: string) => {
    const expression = selected.find(({ alias }) => alias === name)?.expression;
    if (expression === undefined) return scope.column(name);
    const compiled = made.get(name) ?? make(expression);
    made.set(name, compiled);
    return compiled;
  };
  // Expressions compile differently with aliases, so the cache is separate.
  return { ...scope, column, made: new Map() };
}

function requireCondition(compiled: Compiled, clause: string): Compiled {
  if (compiled.type.kind === "Boolean" || compiled.type.kind === "Integer") return compiled;
  throw invalidInput(`the ${clause} clause must be a condition, not ${compiled.type.kind}`);
}

function planGroups(query: Select, selected: readonly Selected[], rows: Scope, aliased: Scope, source: Source) {
  const keys = query.groupBy.map((expression) => compileExpression(expression, aliased));
  const places = new Map<string, number>();
  for (const [at, expression] of query.groupBy.entries()) {
    const stands = expression.kind === "column" && selected.find(({ alias }) => alias === expression.name)?.expression;
    places.set(printExpression(stands || expression), at);
  }
  const calls: AggregateCall[] = [];
  const over = (scope: Scope): Scope => ({
    now: rows.now,
    whole: (expression) => {
      const at = places.get(printExpression(expression));
      const key = at === undefined ? undefined : keys[at];
      return key && at !== undefined ? compiledSlot(key.type, at) : undefined;
    },
    column: (name) => {
      if (!source.columns.has(name)) return undefined;
      throw invalidInput(`column "${name}" is neither grouped by nor in an aggregate function`);
    },
    aggregate: (call) => {
      const definition = aggregateNamed(call.name);
      if (definition === undefined) return undefined;
      const made = compileAggregate(call, definition, scope);
      calls.push(made);
      return compiledSlot(made.type, keys.length + calls.length - 1);
    },
  });
  const answers = over(rows);
  const compiled = selected.map(({ expression }) => compileExpression(expression, answers));
  const known = withAliases(over(aliased), selected, (expression) => compileExpression(expression, answers));
  const having = query.having && requireCondition(compileExpression(query.having, known), "HAVING");
  return { compiled, grouping: { keys, calls, ...(having && { having }) } };
}

function orderOf(query: Select, selected: readonly Selected[], columns: Plan["columns"], now: bigint): Order[] {
  const at = (index: number) => {
    const column = columns[index];
    return column && compiledSlot(column.type, index);
  };
  const texts = selected.map(({ expression, alias }) => {
    const isSeen = alias === undefined || firstColumn(expression) === undefined;
    return isSeen ? printExpression(expression) : undefined;
  });
  const scope: Scope = {
    now,
    whole: (expression) => at(texts.indexOf(printExpression(expression))),
    column: (name) => at(columns.findIndex((column) => column.name === name)),
    aggregate: (call) => {
      if (!isAggregate(call)) return undefined;
      const column = firstColumn(call);
      if (column !== undefined) throw invalidInput(`unable to find type of column: "${column}"`);
      throw invalidInput(`ORDER BY ${printExpression(call)} is not selected`);
    },
  };
  return query.orderBy.map(({ expression, descending }) => {
    if (expression.kind === "integer") throw invalidInput("unsupported: ORDER BY a position");
    const by = compileExpression(expression, scope);
    if (by.type.kind === "Array" || by.type.kind === "Interval")
      throw invalidInput(`cannot order by the ${by.type.kind} type`);
    return { by, descending };
  });
}
