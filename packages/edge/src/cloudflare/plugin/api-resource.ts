import { type Known, type Properties, type Resource, resource, UserError } from "@tenantry/plugin-host";
import * as z from "zod";
import type { Api } from "./api.ts";
import { fromRecord, type Renames, snake, toBody, type Verbatim } from "./casing.ts";
import { liveAsDeclared } from "./live-inputs.ts";

/** A kind of the vendor's plugin, told by its paths in the API and the names of its properties. */
export interface ApiResource {
  /** Type token of the vendor's plugin. */
  type: string;
  /** Path of the list of such things, with inputs between braces: `/zones/{zoneId}/dns_records`. */
  collection: string;
  /** Path of one, where it is not `{collection}/{id}`. */
  item?: string;
  required: readonly string[];
  optional?: readonly string[];
  /** Inputs whose change replaces, as the vendor's plugin has it. It creates the new resource first. */
  replaceOn: readonly string[];
  /** What a delete removes, as one sentence of the reference documentation. */
  removes: string;
  /** Inputs whose change the vendor's plugin ignores. Default: none. */
  ignore?: readonly string[];
  /** Field of the API's record that is the id. Default: `id`. */
  id?: string;
  /** Input that is the id, for kinds named by their owner. Default: none, the API gives it. */
  namedBy?: string;
  /** Inputs by which a thing that is there already is found in the list, and adopted. Default: `namedBy` alone. */
  sameWhen?: readonly string[];
  /** How one is made. Default: `post` to the collection; `put` puts it at its own path. */
  create?: "post" | "put";
  /** How one is changed; `renew` takes it away first, where a `put` adds; `never` when every change replaces. Default: `put`. */
  update?: "put" | "patch" | "renew" | "never";
  /** How one is taken away. Default: deleted. */
  remove?: (api: Api, path: string) => Promise<void>;
  renames?: Renames;
  /** Default: none. */
  verbatim?: Verbatim;
  /** Inputs that are part of the path or of nothing, and not of the body. Default: those in `collection` and `item`. */
  unsent?: readonly string[];
  /** Inputs that the API never answers, at any depth. Default: none. */
  writeOnly?: readonly string[];
  secretOutputs?: readonly string[];
  /** Outputs of the vendor's plugin that the API may leave out, and what they are then. Default: none. */
  outputs?: Properties;
  /** The import id's parts after which the id comes, such as `{accountId}`; `accounts/{accountId}` for some. */
  importId: string;
  /** Headers of the calls that make or change one. Default: none. */
  headers?: (inputs: Properties) => Record<string, string>;
  /** The last word on a body. Default: as it is. */
  body?: (body: Properties, inputs: Properties) => unknown;
  /** The last word on what the API answered, in its own names. Default: as it is. */
  answer?: (record: Properties) => Properties;
  /** What a create does with a thing that is there: one whose secret is answered once only is made anew. Default: `reuse`. */
  adopt?: "reuse" | "recreate";
}

const text = (value: unknown) => encodeURIComponent(String(value));
const braces = /\{(\w+)\}/g;

function fill(template: string, values: Properties): string {
  return template.replace(braces, (_, name: string) => text(values[name]));
}

/** `{accountId}/{id}` read back: the values between its slashes. */
function parseImportId(definition: ApiResource, id: string): { id: string } & Properties {
  const template = `${definition.importId}/{id}`.split("/");
  const parts = id.split("/");
  const named = template.map((part, index) => [part.match(/^\{(\w+)\}$/)?.[1] ?? "", parts[index] ?? ""] as const);
  if (parts.length < template.length) {
    throw new UserError(
      `'${id}' cannot be imported as ${definition.type}: its import id reads '${definition.importId}/{id}'.`,
    );
  }
  const values = named.filter(([name]) => name !== "").map(([name, value]) => [name, decodeURIComponent(value)]);
  return { id: "", ...Object.fromEntries(values) };
}

function schema(definition: ApiResource): z.ZodType<Properties> {
  const present = z.unknown().refine((value) => value !== undefined, { message: "is required" });
  const shape = {
    ...Object.fromEntries((definition.optional ?? []).map((name) => [name, z.unknown().optional()])),
    ...Object.fromEntries(definition.required.map((name) => [name, present])),
  };
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `the local edge does not know ${issue.keys.join(", ")} of ${definition.type}`
        : undefined,
  });
}

/** Makes a resource of a definition. */
export function apiResource(definition: ApiResource): Resource<Api> {
  const idField = definition.id ?? "id";
  const { renames = {}, verbatim = [] } = definition;
  const item = definition.item ?? `${definition.collection}/{id}`;
  const inPath = [...`${definition.collection}${item}`.matchAll(braces)].map((match) => match[1] ?? "");
  const unsent = new Set([...(definition.unsent ?? []), ...inPath]);
  const names = [...definition.required, ...(definition.optional ?? [])];
  const apiName = (name: string) => renames[name] ?? snake(name);

  const itemPath = (inputs: Properties, id: string) => fill(item, { ...inputs, id });
  const bodyOf = (inputs: Properties): unknown => {
    const sent = Object.fromEntries(Object.entries(inputs).filter(([name]) => !unsent.has(name)));
    const body = toBody(sent, renames, verbatim);
    return definition.body ? definition.body(body, inputs) : body;
  };
  const change = definition.update ?? "put";
  const send = (api: Api, method: "post" | "put" | "patch", path: string, inputs: Properties) =>
    api.send(method, path, bodyOf(inputs), definition.headers?.(inputs));
  const changeTo = async (api: Api, method: Exclude<typeof change, "never">, path: string, inputs: Properties) => {
    if (method === "renew") await api.delete(path);
    return send(api, method === "renew" ? "put" : method, path, inputs);
  };
  const outputsOf = (record: Properties, inputs: Properties): Properties => {
    const properties = fromRecord(definition.answer ? definition.answer(record) : record, renames, verbatim);
    // Declared inputs keep their form; the vendor's outputs have the same names.
    return { ...definition.outputs, ...properties, ...inputs };
  };
  const find = async (api: Api, inputs: Properties): Promise<Properties | undefined> => {
    if (definition.namedBy !== undefined) return api.get(itemPath(inputs, String(inputs[definition.namedBy])));
    const wanted = definition.sameWhen ?? [];
    for await (const record of api.list(fill(definition.collection, inputs))) {
      if (
        wanted.length > 0 &&
        wanted.every((name) => inputs[name] !== undefined && record[apiName(name)] === inputs[name])
      )
        return record;
    }
    return undefined;
  };
  const idOf = (record: Properties, inputs: Properties) =>
    String(definition.namedBy ? inputs[definition.namedBy] : record[idField]);

  return resource<Api, Properties, Properties>({
    type: definition.type,
    inputs: schema(definition),
    replaceOn: definition.replaceOn,
    replaceOrder: "create-first",
    removes: definition.removes,
    ignore: definition.ignore ?? [],
    secretOutputs: definition.secretOutputs ?? [],
    identity: (inputs) =>
      JSON.stringify([
        fill(definition.collection, inputs),
        ...(definition.sameWhen ?? [definition.namedBy ?? ""]).map((name) => inputs[name]),
      ]),

    async create(api, inputs) {
      let found = api.adopts ? await find(api, inputs) : undefined;
      if (found !== undefined && definition.adopt === "recreate") {
        await api.delete(itemPath(inputs, idOf(found, inputs)));
        found = undefined;
      }
      let record = found;
      if (found === undefined) {
        const named = definition.create === "put";
        const path = named
          ? itemPath(inputs, String(inputs[definition.namedBy ?? ""]))
          : fill(definition.collection, inputs);
        record = await send(api, named ? "put" : "post", path, inputs);
      } else if (change !== "never") {
        record = { ...found, ...(await changeTo(api, change, itemPath(inputs, idOf(found, inputs)), inputs)) };
      }
      record ??= {};
      const id = idOf(record, inputs);
      const live = definition.adopt === "recreate" ? record : { ...record, ...(await api.get(itemPath(inputs, id))) };
      return { id, outputs: outputsOf(live, inputs) };
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
        const owner = Object.fromEntries(Object.entries(scope).filter(([name]) => names.includes(name)));
        const own = Object.fromEntries(
          names.filter((name) => live[name] !== undefined).map((name) => [name, live[name]]),
        );
        const inputs = { ...own, ...owner, ...named };
        return { id, inputs, outputs: { ...definition.outputs, ...live, ...inputs } };
      }
      const kept = new Set([
        ...inPath,
        ...(definition.unsent ?? []),
        ...(definition.namedBy ? [definition.namedBy] : []),
      ]);
      const inputs = Object.fromEntries(
        Object.entries(known.inputs).map(([name, value]) => [
          name,
          kept.has(name)
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

/** Puts what the API never answers back from what was declared, such as `origin.password`. */
function withWriteOnly(writeOnly: readonly string[], name: string, declared: unknown, live: unknown): unknown {
  if (writeOnly.includes(name)) return declared;
  const inner = writeOnly.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
  const [from, to] = [declared, live];
  if (typeof from !== "object" || from === null || typeof to !== "object" || to === null) return live;
  const hidden = Object.entries(from).filter(([key]) => inner.includes(key));
  return inner.length === 0 ? live : { ...to, ...Object.fromEntries(hidden) };
}
