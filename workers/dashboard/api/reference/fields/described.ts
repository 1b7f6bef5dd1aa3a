/** Descriptions of fields and parameters. They are applied to the document, so that schemas in the web app have none. */

import type { JsonSchema } from "../schema-fields.ts";
import { channelTexts } from "./channel-texts.ts";
import { commonTexts } from "./common-texts.ts";
import { dataTexts } from "./data-texts.ts";
import { deviceTexts } from "./device-texts.ts";
import { doctorTexts } from "./doctor-texts.ts";
import { doorTexts } from "./door-texts.ts";
import { egressTexts } from "./egress-texts.ts";
import { modelCallTexts } from "./model-call-texts.ts";
import { notificationTexts } from "./notification-texts.ts";
import { otherTexts } from "./other-texts.ts";
import { providerKeyTexts } from "./provider-key-texts.ts";
import { tenantTexts } from "./tenant-texts.ts";
import { versionTexts } from "./version-texts.ts";

export const fieldTexts: Readonly<Record<string, string>> = {
  ...commonTexts,
  ...tenantTexts,
  ...dataTexts,
  ...deviceTexts,
  ...doctorTexts,
  ...doorTexts,
  ...channelTexts,
  ...providerKeyTexts,
  ...egressTexts,
  ...modelCallTexts,
  ...notificationTexts,
  ...otherTexts,
  ...versionTexts,
};

/** Operations whose bodies extend an object. */
const EXTENDED: Readonly<Record<string, string>> = {
  getJob: "Job",
  createRollout: "Rollout",
  getRollout: "Rollout",
  createDoor: "Door",
  rotateDoor: "Door",
  createChannel: "Channel",
  putEgress: "Egress",
};

/** Returns the key of a field's text: its path, or the longest end of it that has a text. */
export function textKey([root = "", ...rest]: readonly string[]): string | undefined {
  const ends = rest.map((_, start) => rest.slice(start));
  const paths = [[root, ...rest], [EXTENDED[root] ?? root, ...rest], ...ends];
  return paths.map((path) => path.join(".")).find((key) => key in fieldTexts);
}

const textOf = (path: readonly string[]) => {
  const key = textKey(path);
  return key === undefined ? undefined : fieldTexts[key];
};

const mapValues = <V, W>(values: Readonly<Record<string, V>>, map: (value: V, name: string) => W) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));

/** Returns a schema with the descriptions of its fields. @param path names of the objects that it is in, the outermost first */
export function described(schema: JsonSchema, path: readonly string[]): JsonSchema {
  const { properties, items, anyOf, allOf, additionalProperties } = schema;
  const inside = (one: JsonSchema) => described(one, path);
  return {
    ...schema,
    ...(items && { items: inside(items) }),
    ...(anyOf && { anyOf: anyOf.map(inside) }),
    ...(allOf && { allOf: allOf.map(inside) }),
    ...(typeof additionalProperties === "object" && { additionalProperties: inside(additionalProperties) }),
    ...(properties && {
      properties: mapValues(properties, (property, name) => {
        const text = textOf([...path, name]);
        const inner = described(property, [...path, name]);
        return text === undefined ? inner : { ...inner, description: text };
      }),
    }),
  };
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly description?: string;
}
interface Media {
  readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>>;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Media;
  readonly responses: Readonly<Record<string, Media>>;
}
export interface Documented {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** Returns a document with the descriptions of all fields and parameters. */
export function describedDocument<D extends Documented>(document: D): D {
  return {
    ...document,
    paths: mapValues(document.paths, (path) => mapValues(path, describedOperation)),
    components: {
      ...document.components,
      schemas: mapValues(document.components.schemas, (schema, name) => described(schema, [name])),
    },
  };
}

function describedOperation(operation: Operation): Operation {
  const { operationId, parameters, requestBody, responses } = operation;
  const media = (one: Media): Media =>
    one.content === undefined
      ? one
      : {
          ...one,
          content: mapValues(one.content, (content) =>
            content.schema === undefined ? content : { ...content, schema: described(content.schema, [operationId]) },
          ),
        };
  return {
    ...operation,
    ...(parameters && { parameters: parameters.map((parameter) => describedParameter(parameter, operationId)) }),
    ...(requestBody && { requestBody: media(requestBody) }),
    responses: mapValues(responses, media),
  };
}

function describedParameter(parameter: Parameter, operationId: string): Parameter {
  const description = parameter.description ?? textOf([operationId, parameter.name]);
  return description === undefined ? parameter : { ...parameter, description };
}
