import type * as z from "zod";
import { checkInputs, type Failure } from "./check.ts";
import { type Change, changes } from "./diff.ts";
import { hasUnknown, type Properties, UNKNOWN } from "./properties.ts";
import type { Run } from "./run.ts";

/** What the state of the stack has of a resource. */
export interface Known<Inputs, Outputs> {
  /** The inputs after the check, defaults included. */
  inputs: Inputs;
  /** The outputs that the last operation returned. The object has the inputs too. */
  outputs: Outputs;
}

/** What {@link ResourceDefinition.read} found. */
export interface Found<Inputs, Outputs> extends Known<Inputs, Outputs> {
  /** The id for the state, where it differs from the id that was asked for, as an import id can. Default: the id asked for. */
  id?: string;
}

/**
 * Order of the steps of a replacement.
 *
 * - `create-first`: create the new resource, then delete the old one at the end of the run.
 * - `delete-first`: delete the old resource, then create the new one.
 * - `by-name`: `delete-first` where both have the same {@link ResourceDefinition.identity}, else `create-first`.
 */
export type ReplaceOrder = "create-first" | "delete-first" | "by-name";

/** How a resource type is replaced, for documentation. */
export interface Replacement {
  /** Type token. */
  type: string;
  /** Inputs whose change replaces the resource; `every` when each one does. */
  on: readonly string[] | "every";
  order: ReplaceOrder;
  /** What a delete removes, as one sentence. */
  removes: string;
}

/**
 * A resource type. Pass it to {@link resource}.
 *
 * Operations get plain values: the engine keeps the secrets, and in `create`, `update` and `delete` every value is known. An operation
 * that throws fails with the error's message; see `UserError` and `PartialError`.
 *
 * `Clients` is what the provider's `connect` returned.
 */
export interface ResourceDefinition<Clients, Inputs extends object, Outputs extends object> {
  /** Type token, such as `notes:index:Note`. Its first part is the name of the provider. */
  type: string;
  /**
   * Schema and defaults of the inputs. The engine shows the message of each issue, and the path of its property. In a preview, values can be
   * unknown. An issue with an unknown value is ignored; the inputs then stay as they are, without defaults.
   */
  inputs: z.ZodType<Inputs>;
  /** Inputs whose change replaces the resource. Default: none; every input when there is no `update`. */
  replaceOn?: readonly (keyof Inputs & string)[];
  /** Order of the steps of a replacement. Default: `by-name`. */
  replaceOrder?: ReplaceOrder;
  /** What a delete removes, as one sentence for documentation. Default: `The resource.` */
  removes?: string;
  /**
   * Whether a run skips the delete of an id that the same run created under the same identity. This protects a resource that was renamed in
   * the program, when `create` adopts what exists. Default: true.
   */
  keepsCreated?: boolean;
  /** Inputs whose change is no difference. Default: none. */
  ignore?: readonly (keyof Inputs & string)[];
  /** Returns the old inputs as the diff compares them with the new ones. Default: the old inputs. */
  relevant?: (old: Inputs, now: Inputs) => Inputs;
  /**
   * Adds the resource's URN to the inputs as `owner`, for a type that stores an owner with the live resource. Returns whether a change of
   * the owner is no difference, for example because both URNs are of the same stack. Default: the URN is no input.
   */
  owned?: (before: string, now: string) => boolean;
  /** Outputs and inputs that are always encrypted in the state. Secrets that the program passes as inputs are encrypted anyway. Default: none. */
  secretOutputs?: readonly (keyof (Inputs & Outputs) & string)[];
  /**
   * Outputs that an update may change. A preview shows them as unknown.
   *
   * @param changed names of the inputs that differ
   * @returns default: none
   */
  volatile?: (changed: ReadonlySet<string>) => readonly (keyof Outputs & string)[];
  /** The physical name. Creates with the same name run one after another. */
  identity(inputs: Inputs): string;
  /**
   * Creates the resource, or adopts the existing one of this name. A preview does not call it.
   *
   * @returns the id, and the outputs beside the inputs
   * @throws PartialError when the resource exists but is not complete
   */
  create(clients: Clients, inputs: Inputs, run: Run): Promise<{ id: string; outputs: Outputs }>;
  /**
   * Reads the live resource, for a refresh or an import.
   *
   * @param known what the state has; undefined on import
   * @returns undefined when the resource does not exist
   */
  read(
    clients: Clients,
    id: string,
    known: Known<Inputs, Outputs> | undefined,
  ): Promise<Found<Inputs, Outputs> | undefined>;
  /**
   * Updates the resource in place and returns all outputs. A preview does not call it. Default: none, and every change replaces the
   * resource.
   */
  update?: (clients: Clients, id: string, now: Inputs, old: Known<Inputs, Outputs>, run: Run) => Promise<Outputs>;
  /** Deletes the resource. It must succeed when the resource does not exist any more. */
  delete(clients: Clients, id: string, old: Known<Inputs, Outputs>, run: Run): Promise<void>;
}

/** What differs between old and new inputs, and how the engine acts on it. */
export interface Difference {
  changes: Change[];
  /** Properties of `changes` that replace the resource. */
  replaces: string[];
  deleteBeforeReplace: boolean;
}

/** A {@link ResourceDefinition} as the host calls it, with untyped properties. Made by {@link resource}. */
export interface Resource<Clients> {
  type: string;
  replacement: Replacement;
  keepsCreated: boolean;
  secretOutputs: readonly string[];
  /** @param urn the resource's own */
  check(news: Properties, urn: string): { inputs: Properties; failures: Failure[] };
  diff(old: Properties, now: Properties): Difference;
  lockKey(inputs: Properties): string;
  previewUpdate(oldState: Properties, oldInputs: Properties, now: Properties): Properties;
  create(clients: Clients, inputs: Properties, run: Run): Promise<{ id: string; state: Properties }>;
  read(
    clients: Clients,
    id: string,
    state: Properties,
    inputs: Properties,
  ): Promise<{ id: string; inputs: Properties; state: Properties } | undefined>;
  update(
    clients: Clients,
    id: string,
    now: Properties,
    state: Properties,
    inputs: Properties,
    run: Run,
  ): Promise<Properties>;
  delete(clients: Clients, id: string, state: Properties, inputs: Properties, run: Run): Promise<void>;
}

const plain = (value: object): Properties => ({ ...value });

/**
 * Defines a resource type.
 *
 * @example
 * ```ts
 * const note = resource<{ folder: string }, { name: string; text: string }, { path: string }>({
 *   type: "notes:index:Note",
 *   inputs: z.object({ name: z.string(), text: z.string() }),
 *   replaceOn: ["name"],
 *   identity: ({ name }) => name,
 *   create: async ({ folder }, { name, text }) => { … },
 *   read: async ({ folder }, id) => { … },
 *   update: async ({ folder }, id, { text }) => { … },
 *   delete: async ({ folder }, id) => { … },
 * });
 * ```
 */
export function resource<Clients, Inputs extends object, Outputs extends object>(
  definition: ResourceDefinition<Clients, Inputs, Outputs>,
): Resource<Clients> {
  const replaceOn: readonly string[] = definition.replaceOn ?? [];
  const replaceOrder = definition.replaceOrder ?? "by-name";
  const ignore: readonly string[] = definition.ignore ?? [];
  // Old inputs come from the state, where this very provider has put them after a check.
  const trusted = (properties: Properties) => properties as Inputs;
  const known = (inputs: Properties, state: Properties) => ({ inputs: inputs as Inputs, outputs: state as Outputs });
  const diff = (old: Properties, now: Properties): Difference => {
    const before = definition.relevant ? plain(definition.relevant(trusted(old), trusted(now))) : old;
    const stays = typeof old.owner === "string" && definition.owned?.(old.owner, String(now.owner)) === true;
    const kept = changes(before, now).filter(
      ({ property }) => !ignore.includes(property) && !(property === "owner" && stays),
    );
    const replacing = kept.filter((change) => definition.update === undefined || replaceOn.includes(change.property));
    return {
      changes: kept,
      replaces: [...new Set(replacing.map((change) => change.property))],
      deleteBeforeReplace:
        replaceOrder === "delete-first" ||
        (replaceOrder === "by-name" && definition.identity(trusted(old)) === definition.identity(trusted(now))),
    };
  };
  return {
    type: definition.type,
    replacement: {
      type: definition.type,
      on: definition.update === undefined ? "every" : replaceOn,
      order: replaceOrder,
      removes: definition.removes ?? "The resource.",
    },
    keepsCreated: definition.keepsCreated ?? true,
    secretOutputs: definition.secretOutputs ?? [],
    check: (news, urn) => checkInputs(definition.inputs, definition.owned ? { ...news, owner: urn } : news),
    diff,
    lockKey: (inputs) => `${definition.type} ${definition.identity(trusted(inputs))}`,
    previewUpdate(oldState, oldInputs, now) {
      const changed = new Set(diff(oldInputs, now).changes.map((change) => change.property));
      const unknown = definition.volatile?.(changed) ?? [];
      return { ...oldState, ...now, ...Object.fromEntries(unknown.map((key) => [key, UNKNOWN])) };
    },
    async create(clients, inputs, run) {
      if (hasUnknown(inputs)) throw new Error(`${definition.type} cannot be created from unknown inputs`);
      const created = await definition.create(clients, trusted(inputs), run);
      return { id: created.id, state: { ...inputs, ...created.outputs } };
    },
    async read(clients, id, state, inputs) {
      const imported = Object.keys(inputs).length === 0;
      const found = await definition.read(clients, id, imported ? undefined : known(inputs, state));
      if (found === undefined) return undefined;
      const now = plain(found.inputs);
      return { id: found.id ?? id, inputs: now, state: { ...now, ...plain(found.outputs) } };
    },
    async update(clients, id, now, state, inputs, run) {
      const outputs = await definition.update?.(clients, id, trusted(now), known(inputs, state), run);
      return { ...now, ...outputs };
    },
    delete: (clients, id, state, inputs, run) => definition.delete(clients, id, known(inputs, state), run),
  };
}
