import type * as z from "zod";
import { checkInputs, type Failure } from "./check.ts";
import { type Change, changes } from "./diff.ts";
import { hasUnknown, type Properties, UNKNOWN } from "./properties.ts";
import type { Run } from "./run.ts";

/** What the stack's state holds of a resource. */
export interface Known<Inputs, Outputs> {
  inputs: Inputs;
  outputs: Outputs;
}

/** What is live of a resource; `id` where it is another than the one asked for, as an import id can be. */
interface Found<Inputs, Outputs> extends Known<Inputs, Outputs> {
  id?: string;
}

/**
 * Order of the steps of a replacement. `by-name` deletes first where the new resource has the physical name of the old one, and creates
 * first elsewhere.
 */
export type ReplaceOrder = "create-first" | "delete-first" | "by-name";

/** What a replacement of a kind does, for the reference documentation. */
export interface Replacement {
  type: string;
  /** Inputs whose change replaces the resource; `every` when each one does. */
  on: readonly string[] | "every";
  order: ReplaceOrder;
  /** What a delete removes, as one sentence. */
  removes: string;
}

/** A kind of resource. `Clients` is what the provider's configuration gives, such as an API client. */
export interface ResourceDefinition<Clients, Inputs extends object, Outputs extends object> {
  /** Type token, such as `tenantry:index:Migrations`. */
  type: string;
  /** Shape and defaults of the inputs. */
  inputs: z.ZodType<Inputs>;
  /** Inputs whose change replaces the resource. Default: none. */
  replaceOn?: readonly (keyof Inputs & string)[];
  /** Default: `by-name`. */
  replaceOrder?: ReplaceOrder;
  /** What a delete removes, as one sentence of the reference documentation. */
  removes: string;
  /** Whether a run does not delete what it has created or adopted itself. Vendors' plugins delete it. Default: true. */
  keepsCreated?: boolean;
  /** Inputs whose change means nothing. Default: none. */
  ignore?: readonly (keyof Inputs & string)[];
  /** The old inputs as far as they matter beside the new ones. Default: as they are. */
  relevant?: (old: Inputs, now: Inputs) => Inputs;
  /**
   * Has the URN as an input `owner`, which the kind leaves with what is live. Tells whether a change of it is none, as both are of one
   * stack. Default: the URN is no input.
   */
  owned?: (before: string, now: string) => boolean;
  /** Outputs, or inputs, that are kept secret in the state, however they were given. Default: none. */
  secretOutputs?: readonly (keyof (Inputs & Outputs) & string)[];
  /** Outputs an update of these inputs may change, shown as unknown in a preview. Default: none. */
  volatile?: (changed: ReadonlySet<string>) => readonly (keyof Outputs & string)[];
  /** The physical name: creates of one name run one after another. */
  identity(inputs: Inputs): string;
  /** Creates the resource, or adopts the one of this name. */
  create(clients: Clients, inputs: Inputs, run: Run): Promise<{ id: string; outputs: Outputs }>;
  /** The live resource; undefined when it is gone. `known` is undefined on import. */
  read(
    clients: Clients,
    id: string,
    known: Known<Inputs, Outputs> | undefined,
  ): Promise<Found<Inputs, Outputs> | undefined>;
  /** Default: there is nothing to update, every change replaces. */
  update?: (clients: Clients, id: string, now: Inputs, old: Known<Inputs, Outputs>, run: Run) => Promise<Outputs>;
  /** Deletes the resource; one that is gone already is no error. */
  delete(clients: Clients, id: string, old: Known<Inputs, Outputs>, run: Run): Promise<void>;
}

export interface Difference {
  changes: Change[];
  /** Properties of `changes` that replace the resource. */
  replaces: string[];
  deleteBeforeReplace: boolean;
}

/** A {@link ResourceDefinition} in terms of plain properties, as the host calls it. */
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

/** Makes a definition one the host can serve. */
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
      removes: definition.removes,
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
