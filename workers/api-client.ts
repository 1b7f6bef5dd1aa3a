/** Generated files of the client package, from the OpenAPI document. `npm run client:generate` writes them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import openapiTypescript, { astToString, type OpenAPI3 } from "openapi-typescript";
import ts from "typescript";
import * as z from "zod";
import { openApiDocument } from "./dashboard/api/reference/document.ts";

const DIRECTORY = join(import.meta.dirname, "../packages/client/src/generated");

const operation = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  parameters: z.array(z.looseObject({ in: z.string(), name: z.string() })).default([]),
  responses: z.record(z.string(), z.looseObject({})),
});
const document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});

const HEAD = "// `npm run client:generate` writes this file from the OpenAPI document.\n\n";
const KEPT: ReadonlySet<string> = new Set(["components", "operations"]);
/** Members that say nothing, in half of the lines. */
const ABSENT = [
  /^ +(?:query|header|path|cookie|requestBody|content)\?: never;\n/gm,
  /^ +headers: \{\n +\[name: string\]: unknown;\n +\};\n/gm,
  /^ +parameters: \{\n +\};\n/gm,
  /^ +\/\*\* @description (?:Success|Created|Accepted)\b.*\*\/\n/gm,
];

/** Returns the generated files by their paths. */
export async function clientFiles(): Promise<Readonly<Record<string, string>>> {
  const described = document.parse(openApiDocument());
  return {
    [join(DIRECTORY, "types.ts")]: await typesOf(described),
    [join(DIRECTORY, "operations.ts")]: tableOf(described),
  };
}

async function typesOf({ paths, components, ...rest }: z.infer<typeof document>): Promise<string> {
  const reduced = {
    ...rest,
    paths: mapValues(paths, (path) => mapValues(path, reducedOperation)),
    // The compiler refuses a type that contains itself in an index signature.
    components: { schemas: { ...components.schemas, JsonValue: {} } },
  };
  const statements = await openapiTypescript(withoutExamples(reduced) as OpenAPI3, { defaultNonNullable: false });
  const kept = statements.filter((one) => ts.isInterfaceDeclaration(one) && KEPT.has(one.name.text));
  return HEAD + ABSENT.reduce((text, absent) => text.replaceAll(absent, ""), astToString(kept));
}

/** Errors are the same type everywhere, and headers are options of a call. */
function reducedOperation({ operationId, summary, parameters, responses, ...rest }: z.infer<typeof operation>) {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  return {
    ...rest,
    operationId,
    summary,
    description: undefined,
    parameters: parameters.filter((one) => one.in !== "header"),
    responses: Object.fromEntries(successes.map(([status, { headers: _, ...response }]) => [status, response])),
  };
}

const mapValues = <T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));

/** A field named `example` is an object in `properties`. */
function withoutExamples(value: unknown, isSchemas = false): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutExamples(one));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => isSchemas || (key !== "example" && key !== "examples"));
  return Object.fromEntries(entries.map(([key, one]) => [key, withoutExamples(one, key === "properties")]));
}

function tableOf({ paths }: z.infer<typeof document>): string {
  const lines = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { operationId }]) => `  ${operationId}: ${JSON.stringify(`${method.toUpperCase()} ${path}`)},\n`,
    ),
  );
  return `${HEAD}/** Method and path of each operation. */
export const operationPaths = {
${lines.join("")}} as const;
`;
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(await clientFiles())) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
