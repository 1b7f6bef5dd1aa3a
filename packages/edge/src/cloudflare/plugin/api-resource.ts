import { type Known, type Properties, type Resource, resource, UserError } from "@tenantry/plugin-host";
import * as z from "zod";
import type { Api } from "./api.ts";
import { fromRecord, type Renames, toBody, type Verbatim } from "./casing.ts";
import { liveAsDeclared } from "./live-inputs.ts";

/** A resource type of Cloudflare's provider, described by API paths and property names. */
export interface ApiResource {
  type: string;
  /** API path of the list, with inputs in braces: `/zones/{zoneId}/dns_records`. */
  collection: string;
  /** Default: `{collection}/{id}`. */
  item?: string;
  required: readonly string[];
  optional?: readonly string[];
  /** Inputs whose change replaces the resource, create-first, like in Cloudflare's provider. */
  replaceOn: readonly string[];
  /** Sentence for the reference documentation that says what a delete removes. */
  removes: string;
  /** Inputs whose changes Cloudflare's provider ignores. Default: none. */
  ignore?: readonly string[];
  /** Field of the API's record with the id. Default: `id`. */
  id?: string;
  /** Input that is the id. Default: the API generates the id. */
  namedBy?: string;
  /** `put` creates at the item path. Default: `post` to the collection. */
  create?: "post" | "put";
  /** `renew` deletes first, for a `put` that adds; `never` replaces for every change. Default: `put`. */
  update?: "put" | "patch" | "renew" | "never";
  /** Default: deletes the item. */
  remove?: (api: Api, path: string) => Promise<void>;
  renames?: Renames;
  verbatim?: Verbatim;
  /** Inputs that are not in the body. Default: those in `collection` and `item`. */
  unsent?: readonly string[];
  /** Inputs that the API never returns, as paths. Default: none. */
  writeOnly?: readonly string[];
  secretOutputs?: readonly string[];
  /** Defaults of outputs that the API can omit. Default: none. */
  outputs?: Properties;
  /** Prefix of the import id, such as `{accountId}` or `accounts/{accountId}`. */
  importId: string;
  /** Headers of creates and updates. Default: none. */
  headers?: (inputs: Properties) => Record<string, string>;
  /** Transforms the body. Default: unchanged. */
  body?: (body: Properties, inputs: Properties) => unknown;
  /** Transforms the API's record. Default: unchanged. */
  answer?: (record: Properties) => Properties;
}

const encodePathPart = (value: unknown) => encodeURIComponent(String(value));
const braces = /\{(\w+)\}/g;

function fillTemplate(template: string, values: Properties): string {
  return template.replace(braces, (_, name: string) => encodePathPart(values[name]));
}

/** Parses an import id such as `{accountId}/{id}`. */
function parseImportId(definition: ApiResource, id: string): { id: string } & Properties {
  const template = `${definition.importId}/{id}`.split("/");
  const parts = id.split("/");
  const named = template.map((part, index) => [part.match(/^\{(\w+)\}$/)?.[1] ?? "", parts[index] ?? ""] as const);
  if (parts.length < template.length) {
    throw new UserError(
      `'${id}' cannot be imported as ${definition.type}: use the import id '${definition.importId}/{id}'.`,
    );
  }
  const values = named.filter(([name]) => name !== "").map(([name, value]) => [name, decodeURIComponent(value)]);
  return { id: "", ...Object.fromEntries(values) };
}

function inputSchema(definition: ApiResource): z.ZodType<Properties> {
  const present = z.unknown().refine((value) => value !== undefined, { message: "is required" });
  const shape = {
    ...Object.fromEntries((definition.optional ?? []).map((name) => [name, z.unknown().optional()])),
    ...Object.fromEntries(definition.required.map((name) => [name, present])),
  };
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `the local edge does not support ${issue.keys.join(", ")} of ${definition.type}`
        : undefined,
  });
}

/** Defines a resource type. */
export function apiResource(definition: ApiResource): Resource<Api> {
  const idField = definition.id ?? "id";
  const { renames = {}, verbatim = [] } = definition;
  const item = definition.item ?? `${definition.collection}/{id}`;
  const inPath = [...`${definition.collection}${item}`.matchAll(braces)].map((match) => match[1] ?? "");
  const unsent = new Set([...(definition.unsent ?? []), ...inPath]);
  const names = [...definition.required, ...(definition.optional ?? [])];
  const itemPath = (inputs: Properties, id: string) => fillTemplate(item, { ...inputs, id });
  const bodyOf = (inputs: Properties): unknown => {
    const sent = Object.fromEntries(Object.entries(inputs).filter(([name]) => !unsent.has(name)));
    const body = toBody(sent, renames, verbatim);
    return definition.body ? definition.body(body, inputs) : body;
  };
  const change = definition.update ?? "put";
  const isPut = definition.create === "put";
  const send = (api: Api, method: "post" | "put" | "patch", path: string, inputs: Properties) =>
    api.send(method, path, bodyOf(inputs), definition.headers?.(inputs));
  const changeTo = async (api: Api, method: Exclude<typeof change, "never">, path: string, inputs: Properties) => {
    if (method === "renew") await api.delete(path);
    return send(api, method === "renew" ? "put" : method, path, inputs);
  };
  const outputsOf = (record: Properties, inputs: Properties): Properties => {
    const properties = fromRecord(definition.answer ? definition.answer(record) : record, renames, verbatim);
    // Declared inputs take precedence over outputs of the same name.
    return { ...definition.outputs, ...properties, ...inputs };
  };
  const idOf = (record: Properties, inputs: Properties) =>
    String(definition.namedBy ? inputs[definition.namedBy] : record[idField]);

  return resource<Api, Properties, Properties>({
    type: definition.type,
    inputs: inputSchema(definition),
    replaceOn: definition.replaceOn,
    replaceOrder: "create-first",
    removes: definition.removes,
    ignore: definition.ignore ?? [],
    secretOutputs: definition.secretOutputs ?? [],
    keepsCreated: false,
    identity: (inputs) => JSON.stringify(inputs),

    async create(api, inputs) {
      const record = isPut
        ? await send(api, "put", itemPath(inputs, String(inputs[definition.namedBy ?? ""])), inputs)
        : await send(api, "post", fillTemplate(definition.collection, inputs), inputs);
      const id = idOf(record, inputs);
      return { id, outputs: outputsOf({ ...record, ...(await api.get(itemPath(inputs, id))) }, inputs) };
    },

    async read(api, given, known: Known<Properties, Properties> | undefined) {
      const parsed = known === undefined ? parseImportId(definition, given) : { id: given };
      const { id } = parsed;
      const named = definition.namedBy === undefined ? {} : { [definition.namedBy]: id };
      const scope = known?.inputs ?? { ...parsed, ...named };
      const answered = await api.get(itemPath(scope, id));
      if (answered === undefined) return undefined;
      const record = definition.answer ? definition.answer(answered) : answered;
      const live = fromRecord(record, renames, verbatim);
      if (known === undefined) {
        const found = new Map(Object.entries({ ...live, ...scope, ...named }));
        const inputs = Object.fromEntries(names.flatMap((name) => (found.has(name) ? [[name, found.get(name)]] : [])));
        return { id, inputs, outputs: { ...definition.outputs, ...live, ...inputs } };
      }
      const inputs = Object.fromEntries(
        Object.entries(known.inputs).map(([name, value]) => [
          name,
          unsent.has(name) || name === definition.namedBy
            ? value
            : withWriteOnly(definition.writeOnly ?? [], name, value, liveAsDeclared(value, live[name])),
        ]),
      );
      return { inputs, outputs: { ...definition.outputs, ...known.outputs, ...live, ...inputs } };
    },

    ...(change === "never"
      ? {}
      : {
          async update(api: Api, id: string, now: Properties, old: Known<Properties, Properties>) {
            const path = itemPath(now, id);
            const record = await changeTo(api, change, path, now);
            return { ...old.outputs, ...outputsOf({ ...record, ...(await api.get(path)) }, now) };
          },
        }),

    async delete(api, id, { inputs }) {
      const path = itemPath(inputs, id);
      await (definition.remove ? definition.remove(api, path) : api.delete(path));
    },
  });
}

/** Restores write-only values, such as `origin.password`, from the declared inputs. */
function withWriteOnly(writeOnly: readonly string[], name: string, declared: unknown, live: unknown): unknown {
  if (writeOnly.includes(name)) return declared;
  const inner = writeOnly.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
  const [from, to] = [declared, live];
  if (typeof from !== "object" || from === null || typeof to !== "object" || to === null) return live;
  const hidden = Object.entries(from).filter(([key]) => inner.includes(key));
  return inner.length === 0 ? live : { ...to, ...Object.fromEntries(hidden) };
}
