/** How a Worker is bound to things of one type: what a binding must say, and what the Worker gets for it. */
import * as z from "zod";
import type { Store } from "../account/store.ts";
import type { ContainerEngine } from "../containers/engine.ts";
import type { AssetsNativeBinding } from "../runtime/assets/services.ts";
import type { Storage } from "../runtime/storage.ts";
import type { WorkerBindings } from "../runtime/worker/definition.ts";
import type { NativeBinding } from "../runtime/worker/native-bindings.ts";
import type { Pooler } from "./kinds/hyperdrive/pooler/pooler.ts";
import type { ScriptBinding, ScriptRecord } from "./kinds/scripts/record.ts";

/** What bindings are connected to. */
export interface Surroundings {
  store: Store;
  storage: Pick<Storage, "binding">;
  containers: Pick<ContainerEngine, "uniqueKey">;
  hyperdrive: Pick<Pooler, "connectionString">;
  /** Path of the hub's unix socket. */
  hub: string;
  /** Scripts in the same process, which service, queue and foreign Durable Object bindings can reach. */
  neighbours: ReadonlySet<string>;
}

/** Miniflare's options that go by the binding's name. */
type NamedOptions = Required<
  Pick<
    WorkerBindings,
    "bindings" | "durableObjects" | "queueProducers" | "hyperdrives" | "serviceBindings" | "wrappedBindings"
  >
>;
export type NamedOption = keyof NamedOptions;

/** What a Worker gets for a binding: an option of Miniflare, one of workerd alone, its own files, or a sentence once it is used. */
export type Connected =
  | { [Option in NamedOption]: { readonly option: Option; readonly value: NamedOptions[Option][string] } }[NamedOption]
  | { readonly native: NativeBinding }
  | { readonly files: AssetsNativeBinding }
  | { readonly unavailable: string };

interface Definition<Binding> {
  /** The vendor's code and message where what the binding names is not there; checked when a script is uploaded. Default: nothing is. */
  missing?: (binding: Binding, store: Store, script: ScriptRecord) => readonly [number, string] | undefined;
  /** The binding as the API answers it. Default: as it was given. */
  answer?: (binding: ScriptBinding, store: Store, script: ScriptRecord) => ScriptBinding;
  /** What the Worker gets. Default: nothing that runs on one machine. */
  connect?: (binding: Binding, script: ScriptRecord, to: Surroundings) => Connected;
  /** What else the Worker's process is made from, as JSON. Default: nothing. */
  ingredient?: (binding: Binding, store: Store) => unknown;
}

export interface BindingType extends Definition<ScriptBinding> {
  /** Fields beside `type` and `name`; others are kept as they are. */
  fields: z.ZodType<ScriptBinding>;
}

/** Types of bindings by the binding's `type`. */
export type BindingTypes = Readonly<Record<string, BindingType>>;

/**
 * Declares a type of binding. What it is given has passed `fields`.
 *
 * @param fields of a binding, beside `type` and `name`
 */
export function bindingType<F extends z.ZodRawShape>(
  fields: F,
  definition: Definition<ScriptBinding & z.output<z.ZodObject<F>>>,
): BindingType {
  // Only a binding that has passed `fields` reaches the definition.
  return {
    ...(definition as Definition<ScriptBinding>),
    fields: z.looseObject(fields) as unknown as z.ZodType<ScriptBinding>,
  };
}
