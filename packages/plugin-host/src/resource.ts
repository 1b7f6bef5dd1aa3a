import type * as z from "zod";
import { checkInputs, type Failure } from "./check.ts";
import { type Change, changes } from "./diff.ts";
import { hasUnknown, type Properties, UNKNOWN } from "./properties.ts";
import type { Run } from "./run.ts";

/** A resource in the state of the stack. */
export interface Known<Inputs, Outputs> {
  /** The inputs after the check, defaults included. */
  inputs: Inputs;
  /** The outputs of the last operation, and the inputs. */
  outputs: Outputs;
}

/** Result of {@link ResourceDefinition.read}. */
export interface Found<Inputs, Outputs> extends Known<Inputs, Outputs> {
  /** The id for the state, which can differ from the id of an import. Default: the requested id. */
  id?: string;
}

/**
 * Order of the steps of a replacement.
 *
 * - `create-first`: create the new resource, then delete the old one at the end of the run.
 * - `delete-first`: delete the old resource, then create the new one.
 * - `by-name`: `delete-first` if both have the same {@link ResourceDefinition.identity}, else `create-first`.
 */
export type ReplaceOrder = "create-first" | "delete-first" | "by-name";

/** How a resource type is replaced, for documentation. */
export interface Replacement {
  /** Type token. */
  type: string;
  /** Inputs whose change replaces the resource. */
  on: readonly string[] | "every";
  order: ReplaceOrder;
  /** Sentence that says what a delete removes. */
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
   * Schema and defaults of the inputs. The engine shows the message and the path of each issue. In a preview, values can be unknown: an issue
   * with an unknown value is ignored, and the inputs then have no defaults.
   */
  inputs: z.ZodType<Inputs>;
  /** Inputs whose change replaces the resource. Default: none; every input when there is no `update`. */
  replaceOn?: readonly (keyof Inputs & string)[];
  /** Order of the steps of a replacement. Default: `by-name`. */
  replaceOrder?: ReplaceOrder;
  /** Sentence for documentation that says what a delete removes. Default: `The resource.` */
  removes?: string;
  /**
   * Whether a run skips the delete of an id that the same run created under the same identity. This protects a renamed resource when
   * `create` adopts existing resources. Default: true.
   */
  keepsCreated?: boolean;
  /** Inputs that the diff ignores. Default: none. */
  ignore?: readonly (keyof Inputs & string)[];
  /** Returns the old inputs for the comparison with the new ones. Default: the old inputs. */
  relevant?: (old: Inputs, now: Inputs) => Inputs;
  /**
   * Adds the resource's URN to the inputs as `owner`, for a type that stores an owner with the live resource. Returns whether the diff
   * ignores a change of the owner, for example because both URNs are of the same stack. Default: the URN is not an input.
   */
  owned?: (before: string, now: string) => boolean;
  /** Outputs and inputs that are always encrypted in the state, beside the secret inputs of the program. Default: none. */
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
   * @returns the id, and the outputs that are not inputs
   * @throws PartialError when the resource exists but is incomplete
   */
  create(clients: Clients, inputs: Inputs, run: Run): Promise<{ id: string; outputs: Outputs }>;
  /**
   * Reads the live resource, for a refresh or an import.
   *
   * @param known the resource in the state; undefined on import
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
  /** Deletes the resource. Must succeed when the resource does not exist. */
  delete(clients: Clients, id: string, old: Known<Inputs, Outputs>, run: Run): Promise<void>;
}

/** The difference between old and new inputs. */
export interface Difference {
  changes: Change[];
  /** Properties of `changes` that replace the resource. */
  replaces: string[];
  deleteBeforeReplace: boolean;
}

/** A resource type that {@link resource} defined, with untyped properties. */
export interface Resource<Clients> {
  type: string;
  replacement: Replacement;
  keepsCreated: boolean;
  secretOutputs: readonly string[];
  check(properties: Properties, urn: string): { inputs: Properties; failures: Failure[] };
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

const toProperties = (value: object): Properties => ({ ...value });

/** Defines a resource type. */
export function resource<Clients, Inputs extends object, Outputs extends object>(
  definition: ResourceDefinition<Clients, Inputs, Outputs>,
): Resource<Clients> {
  const replaceOn: readonly string[] = definition.replaceOn ?? [];
  const replaceOrder = definition.replaceOrder ?? "by-name";
  const ignore: readonly string[] = definition.ignore ?? [];
  // The engine passes inputs that this provider has checked.
  const trusted = (properties: Properties) => properties as Inputs;
  const known = (inputs: Properties, state: Properties) => ({ inputs: inputs as Inputs, outputs: state as Outputs });
  const diff = (old: Properties, now: Properties): Difference => {
    const before = definition.relevant ? toProperties(definition.relevant(trusted(old), trusted(now))) : old;
    const sameOwner = typeof old.owner === "string" && definition.owned?.(old.owner, String(now.owner)) === true;
    const differing = changes(before, now).filter(
      ({ property }) => !ignore.includes(property) && !(property === "owner" && sameOwner),
    );
    const replacing = differing.filter(
      (change) => definition.update === undefined || replaceOn.includes(change.property),
    );
    return {
      changes: differing,
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
    check: (properties, urn) =>
      checkInputs(definition.inputs, definition.owned ? { ...properties, owner: urn } : properties),
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
      const inputsNow = toProperties(found.inputs);
      return { id: found.id ?? id, inputs: inputsNow, state: { ...inputsNow, ...found.outputs } };
    },
    async update(clients, id, now, state, inputs, run) {
      const outputs = await definition.update?.(clients, id, trusted(now), known(inputs, state), run);
      return { ...now, ...outputs };
    },
    delete: (clients, id, state, inputs, run) => definition.delete(clients, id, known(inputs, state), run),
  };
}
