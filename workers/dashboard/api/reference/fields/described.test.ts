import { expect, test } from "vitest";
import { openApiDocument } from "../document.ts";
import type { JsonSchema } from "../schema-fields.ts";
import { fieldTexts, textKey } from "./described.ts";

/** Paths of all fields in a schema, with their descriptions. */
function fieldsIn(
  schema: JsonSchema,
  path: readonly string[],
): { path: readonly string[]; text: string | undefined }[] {
  const { properties = {}, items, anyOf = [], allOf = [], additionalProperties } = schema;
  const inner = [...anyOf, ...allOf, ...(items ? [items] : [])];
  if (typeof additionalProperties === "object") inner.push(additionalProperties);
  return [
    ...inner.flatMap((one) => fieldsIn(one, path)),
    ...Object.entries(properties).flatMap(([name, property]) => [
      { path: [...path, name], text: property.description },
      ...fieldsIn(property, [...path, name]),
    ]),
  ];
}

const { paths, components } = openApiDocument();
const operations = Object.values(paths).flatMap((path) => Object.values(path));
const found = [
  ...Object.entries(components.schemas).flatMap(([name, schema]) => fieldsIn(schema, [name])),
  ...operations.flatMap(({ operationId, parameters = [], requestBody, responses }) => [
    ...parameters.map(({ name, description }) => ({ path: [operationId, name], text: description })),
    ...[requestBody, ...Object.values(responses)]
      .flatMap((body) => Object.values(body?.content ?? {}))
      .flatMap(({ schema = {} }) => fieldsIn(schema, [operationId])),
  ]),
];

test("every field and parameter has a description", () => {
  expect(found.length).toBeGreaterThan(500);
  expect(found.filter(({ text = "" }) => text.length < 8).map(({ path }) => path.join("."))).toEqual([]);
});

test("every text describes a field", () => {
  const used = new Set(found.map(({ path }) => textKey(path)));
  expect(Object.keys(fieldTexts).filter((key) => !used.has(key))).toEqual([]);
});
