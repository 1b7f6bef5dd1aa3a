/** Scalar functions by lower-case name; names are case-insensitive. */
import { bitFunctions } from "./bits.ts";
import { conversionFunctions } from "./conversions.ts";
import { dateFunctions } from "./dates.ts";
import type { FunctionDefinition, Functions } from "./function.ts";
import { mathFunctions } from "./maths.ts";
import { stringFunctions } from "./strings.ts";

const functions: Functions = {
  ...bitFunctions,
  ...conversionFunctions,
  ...dateFunctions,
  ...mathFunctions,
  ...stringFunctions,
};

export function functionNamed(name: string): FunctionDefinition | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(functions, key) ? functions[key] : undefined;
}
