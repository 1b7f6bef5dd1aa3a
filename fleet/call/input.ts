/** Values of a command line as the input of an operation. */
import { type OperationId, operationPaths } from "@tenantry/client";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { fleetCallErrors as errors } from "#domain/errors/commands/fleet-call.ts";

export interface OperationInput {
  path: Record<string, string>;
  query: Record<string, string>;
  body?: Record<string, unknown>;
}

/** Operations that an error names. */
const EXAMPLES = 3;

/** @throws CatalogueError when the API has none of this name */
export function operationOf(name: string): OperationId {
  if (Object.hasOwn(operationPaths, name)) return name as OperationId;
  const all = Object.keys(operationPaths);
  const similarity = (id: string) => sharedWords(id, name) / wordsOf(id).length;
  const similar = all.filter((id) => similarity(id) > 0).toSorted((a, b) => similarity(b) - similarity(a));
  const examples = (similar.length > 0 ? similar : all).slice(0, EXAMPLES).join(", ");
  throw new CatalogueError(errors.call_operation_unknown, { operation: JSON.stringify(name), examples });
}

/** Names of an operation's parameters in its path. The slug of the console's operations is known from the login. */
export function pathParameters(id: OperationId): string[] {
  return [...operationPaths[id].matchAll(/\{(\w+)\}/g)].flatMap(([, name = ""]) => (name === "slug" ? [] : [name]));
}

/**
 * Sorts values into path, query and body. A value of a body is JSON if it parses, and text otherwise.
 *
 * @param values each as `NAME=VALUE`
 * @throws CatalogueError when a value has no name
 */
export function inputOf(id: OperationId, values: readonly string[]): OperationInput {
  const names = new Set(pathParameters(id));
  const hasBody = /^(POST|PUT) /.test(operationPaths[id]);
  const input: OperationInput = { path: {}, query: {} };
  for (const value of values) {
    const [, name, text = ""] = /^(\w+)=(.*)$/s.exec(value) ?? [];
    if (name === undefined) throw new CatalogueError(errors.call_value_invalid, { value: JSON.stringify(value) });
    if (names.has(name)) input.path[name] = text;
    else if (hasBody) input.body = { ...input.body, [name]: jsonOr(text) };
    else input.query[name] = text;
  }
  return input;
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const wordsOf = (name: string) =>
  name
    .split(/(?=[A-Z])|[^A-Za-z]/)
    .map((word) => word.toLowerCase().replace(/s$/, ""))
    .filter((word) => word.length > 2);

function sharedWords(id: string, name: string): number {
  const words = wordsOf(name);
  return wordsOf(id).filter((word) => words.includes(word)).length;
}
