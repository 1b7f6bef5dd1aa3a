/** Aggregate functions by lower-case name. */
import { checkCount, compileExpression, type Scope } from "../compiling/compile.ts";
import type { Compiled } from "../functions/function.ts";
import { printExpression } from "../reading/printed.ts";
import type { Call, Expression } from "../reading/syntax.ts";
import { invalidInput } from "../sql-error.ts";
import { keyOf, type Value } from "../values/values.ts";
import type { AggregateDefinition, Aggregates, Aggregation, Keep, State } from "./aggregate.ts";
import { distributions } from "./distributions.ts";
import { picked } from "./picked.ts";
import { sums } from "./sums.ts";

const aggregates: Aggregates = { ...distributions, ...picked, ...sums };

export function aggregateNamed(name: string): AggregateDefinition | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(aggregates, key) ? aggregates[key] : undefined;
}

export function isAggregate(expression: Expression): expression is Call {
  return expression.kind === "call" && aggregateNamed(expression.name) !== undefined;
}

export interface AggregateCall extends Aggregation {
  arguments: readonly Compiled[];
}

export function compileAggregate(call: Call, definition: AggregateDefinition, rows: Scope): AggregateCall {
  const text = printExpression(call);
  checkCount(call, definition);
  if (call.parameters.length > (definition.parameters ?? 0)) throw invalidInput(`too many parameters in ${text}`);
  if (call.distinct && (definition.mayBeDistinct !== true || call.arguments.length !== 1)) {
    throw invalidInput(`unsupported: DISTINCT in ${text}`);
  }
  if (call.name.toLowerCase() === "count" && call.arguments.length === 1 && !call.distinct) {
    throw invalidInput(`unsupported function argument in ${text}: use count() or count(DISTINCT column)`);
  }
  const given = call.arguments.map((one) => compileExpression(one, rows));
  const parameters = call.parameters.map((one) => compileExpression(one, rows));
  const applied = definition.apply({ text, arguments: given, parameters, now: rows.now });
  if (!call.distinct) return { ...applied, arguments: given };
  const { type, start } = applied;
  return { type, arguments: given, start: (keep) => distinctState(start(keep), keep) };
}

function distinctState(state: State, keep: Keep): State {
  const seen = new Set<string>();
  const add = (values: readonly Value[]) => {
    const key = keyOf(values);
    if (seen.has(key)) return;
    keep([key]);
    seen.add(key);
    state.add(values);
  };
  return { add, result: state.result };
}
