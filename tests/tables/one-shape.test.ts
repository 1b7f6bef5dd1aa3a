/** Each entity has one schema, in `domain/entities/`. Requests, responses, forms, rows and stack settings derive from it. */
import { basename } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import * as z from "zod";
import { productionSources, type Source } from "#database/testing/production-sources.ts";

const names = productionSources(["domain/entities/*.ts"]).map(({ file }) => basename(file, ".ts"));

/** Every object schema that a file of the directory exports. */
const ENTITIES = (
  await Promise.all(
    names.map(async (module) => {
      const exported: Record<string, unknown> = await import(`#domain/entities/${module}.ts`);
      const home = `domain/entities/${module}.ts`;
      return Object.entries(exported).flatMap(([name, schema]) =>
        schema instanceof z.ZodObject ? [{ name, home, keys: new Set(Object.keys(schema.shape)) }] : [],
      );
    }),
  )
).flat();

test("clients, instances, users, gateways, images, rollouts and jobs are entities", () => {
  expect(ENTITIES.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      "client",
      "instance",
      "user",
      "clientUser",
      "aiGateway",
      "image",
      "rollout",
      "job",
      "partner",
    ]),
  );
});

/** An object is a second schema of an entity when at least this many of its fields, */
const LEAST_SHARED = 4;
/** and at least this part of them, are written out again. */
const LEAST_PART = 0.6;

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const isZodObject = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) && /^z\s*[.](object|strictObject|looseObject)$/.test(node.expression.getText());

/** Whether a field is taken from an entity's `shape`, or starts with a name that the file takes from one. */
function isDerived(member: ts.ObjectLiteralElementLike, text: string): boolean {
  const value = ts.isPropertyAssignment(member) ? member.initializer.getText() : (member.name?.getText() ?? "");
  const [root = ""] = /^\w+/.exec(value) ?? [];
  return /[.]shape\b/.test(value) || new RegExp(`const \\{[^}]*\\b${root}\\b[^}]*\\} = \\w+[.]shape;`).test(text);
}

/** Names of the fields that an object writes out, in snake case. */
function writtenFields({ arguments: [shape] }: ts.CallExpression, text: string): string[] {
  if (shape === undefined || !ts.isObjectLiteralExpression(shape)) return [];
  return shape.properties.flatMap((member) =>
    member.name !== undefined && ts.isIdentifier(member.name) && !isDerived(member, text)
      ? [snakeCase(member.name.text)]
      : [],
  );
}

/** A message for each zod object that describes an entity a second time. */
function secondSchemas({ file, text }: Source): string[] {
  const kind = file.endsWith(".tsx") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isZodObject(node)) {
      const fields = writtenFields(node, text);
      for (const { name, home, keys } of ENTITIES) {
        const shared = fields.filter((field) => keys.has(field));
        if (shared.length < LEAST_SHARED || shared.length < LEAST_PART * fields.length) continue;
        const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
        found.push(
          `${file}:${line} describes the entity ${name} again (${shared.join(", ")}). Its schema is in ${home}: derive from that with pick, omit, extend or ${name}.shape.`,
        );
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test("no production source describes an entity a second time", () => {
  const sources = productionSources([
    "{automation,components,database,domain,fleet,local,policy,stack,workers}/**/*.{ts,tsx}",
    "index.ts",
  ]).filter(({ file }) => !file.startsWith("domain/entities/"));
  expect(sources.length).toBeGreaterThan(600);
  expect(sources.flatMap(secondSchemas)).toEqual([]);
});

test.each([
  ["z.object({ id: z.uuid(), slug: z.string(), attempts: z.number(), progress: z.number() })", "job", "job.ts"],
  [
    "z.strictObject({ soakMinutes: z.int(), noticeHours: z.int(), waves: z.any(), urgent: z.any() })",
    "rollout",
    "rollout.ts",
  ],
  [
    "z.looseObject({ gatewayId: id, maxInstances: z.int(), enabled: z.boolean(), bound: z.int() })",
    "aiGateway",
    "ai-gateway.ts",
  ],
])("a planted second schema is found: %s", (schema, entity, home) => {
  const text = `import * as z from "zod";\n\nconst planted = ${schema};\n`;
  const [message] = secondSchemas({ file: "workers/planted.ts", text });
  expect(message).toContain(`workers/planted.ts:3 describes the entity ${entity} again`);
  expect(message).toContain(`Its schema is in domain/entities/${home}`);
});

test.each([
  "job.pick({ id: true, slug: true, attempts: true, progress: true })",
  "z.object({ id: job.shape.id, slug: job.shape.slug, attempts: job.shape.attempts, progress: job.shape.progress })",
  "z.object({ id: z.uuid(), slug: z.string(), name: z.string(), memory: z.number() })",
])("what derives from an entity, or shares few fields, is not reported: %s", (schema) => {
  expect(secondSchemas({ file: "workers/planted.ts", text: `const derived = ${schema};\n` })).toEqual([]);
});
