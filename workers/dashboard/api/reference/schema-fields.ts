/** Fields of a JSON schema of the document, as rows for people. */

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Part of the description of a type: text, or the name of a schema. */
export type TypePart = string | { readonly schema: string };

export interface Field {
  /** With the names of the objects that it is in: `pagination.next`, `data[].id`. */
  readonly name: string;
  readonly type: readonly TypePart[];
  readonly required: boolean;
  readonly description: string | undefined;
  /** Permitted values, limits and the default. */
  readonly rules: readonly string[];
}

const isNull = ({ type }: JsonSchema) => type === "null";
const alternatives = ({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] | undefined => anyOf ?? oneOf;

/** Returns the schema of a value that is not null. */
function nonNullOf(schema: JsonSchema): JsonSchema {
  const others = alternatives(schema)?.filter((one) => !isNull(one));
  return others?.length === 1 && others[0] !== undefined ? nonNullOf(others[0]) : schema;
}

const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "time",
  date: "date",
  uuid: "UUID",
  email: "e-mail address",
};

/** Returns the type of a schema: "array of ", { schema: "Client" }. */
export function typeOf(schema: JsonSchema): readonly TypePart[] {
  const { $ref, type, format, enum: values, items, additionalProperties, allOf } = schema;
  if ($ref !== undefined) return [{ schema: $ref.slice($ref.lastIndexOf("/") + 1) }];
  const found = alternatives(schema) ?? (allOf?.length === 1 ? allOf : undefined);
  if (found !== undefined) return found.flatMap((one, index) => (index === 0 ? typeOf(one) : [" or ", ...typeOf(one)]));
  if (Array.isArray(type)) return [type.join(" or ")];
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (values !== undefined) return ["string"];
  if (items !== undefined) return ["array of ", ...typeOf(items)];
  if (type === "object" && typeof additionalProperties === "object") {
    return ["object of ", ...typeOf(additionalProperties)];
  }
  if (type === undefined) return ["any"];
  return [(format !== undefined && FORMATS[format]) || String(type)];
}

function rulesOf(schema: JsonSchema, description = ""): string[] {
  const { enum: values, minLength, maxLength, minimum, maximum, maxItems, items } = nonNullOf(schema);
  const listed = (values ?? items?.enum)?.map((value) => `\`${String(value)}\``) ?? [];
  const isDescribed = listed.every((value) => description.includes(value));
  return [
    ...(isDescribed ? [] : [`One of ${listed.join(", ")}.`]),
    ...range([minLength, maxLength], "characters"),
    ...range([minimum, maximum === undefined || maximum >= 2 ** 31 - 1 ? undefined : maximum], ""),
    ...range([undefined, maxItems], "entries"),
    ...(schema.default === undefined || schema.default === ""
      ? []
      : [`Default: \`${typeof schema.default === "string" ? schema.default : JSON.stringify(schema.default)}\`.`]),
  ];
}

function range([least, most]: readonly [number | undefined, number | undefined], what: string): string[] {
  const unit = what === "" ? "" : ` ${what}`;
  const isBound = least !== undefined && least > 0;
  if (most === undefined) return isBound ? [`At least ${least}${unit}.`] : [];
  return [isBound ? `${least} to ${most}${unit}.` : `At most ${most}${unit}.`];
}

/** Returns the fields of an object, and of the objects in it. */
export function fieldsOf(schema: JsonSchema, prefix = ""): Field[] {
  const { properties = {}, required = [] } = objectOf(schema) ?? {};
  return Object.entries(properties).flatMap(([key, property]): Field[] => {
    const name = `${prefix}${key}`;
    const value = nonNullOf(property);
    const inner = value.items === undefined ? value : nonNullOf(value.items);
    const description = property.description ?? value.description;
    const field = {
      name,
      type: typeOf(property),
      required: required.includes(key),
      description,
      rules: rulesOf(property, description),
    };
    return [field, ...fieldsOf(inner, `${name}${value.items === undefined ? "" : "[]"}.`)];
  });
}

/** Returns the schema of an object with fields; `undefined` for other values and for references. */
function objectOf(schema: JsonSchema): JsonSchema | undefined {
  const value = nonNullOf(schema);
  if (value.properties !== undefined) return value;
  return value.allOf?.map(objectOf).find((one) => one !== undefined);
}
