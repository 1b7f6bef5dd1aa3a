import * as z from "zod";
import type { Store } from "../account/store.ts";
import type { ContainerEngine } from "../containers/engine.ts";
import type { AssetsNativeBinding } from "../runtime/assets/services.ts";
import type { Storage } from "../runtime/storage.ts";
import type { WorkerBindings } from "../runtime/worker/definition.ts";
import type { NativeBinding } from "../runtime/worker/native-bindings.ts";
import type { Pooler } from "./kinds/hyperdrive/pooler/pooler.ts";
import type { ScriptBinding, ScriptRecord } from "./kinds/scripts/record.ts";

export interface Surroundings {
  store: Store;
  storage: Pick<Storage, "binding">;
  containers: Pick<ContainerEngine, "uniqueKey" | "image">;
  hyperdrive: Pick<Pooler, "connectionString">;
  /** Path of the hub's unix socket. */
  hub: string;
  /** Scripts of the same process, targets for service, queue and foreign Durable Object bindings. */
  neighbours: ReadonlySet<string>;
}

/** Miniflare's options by binding name. */
type NamedOptions = Required<
  Pick<
    WorkerBindings,
    "bindings" | "durableObjects" | "queueProducers" | "hyperdrives" | "serviceBindings" | "wrappedBindings"
  >
>;
export type NamedOption = keyof NamedOptions;

/** What a Worker gets: an option of Miniflare, a native binding of workerd, its own files, or an error text when it is used. */
export type Connected =
  | { [Option in NamedOption]: { readonly option: Option; readonly value: NamedOptions[Option][string] } }[NamedOption]
  | { readonly native: NativeBinding }
  | { readonly files: AssetsNativeBinding }
  | { readonly unavailable: string };

interface Definition<Binding> {
  /** Returns Cloudflare's code and message when the target does not exist; checked at the upload. Default: no check. */
  missing?: (binding: Binding, store: Store, script: ScriptRecord) => readonly [number, string] | undefined;
  /** Returns the binding for responses of the API. Default: as uploaded. */
  answer?: (binding: ScriptBinding, store: Store, script: ScriptRecord) => ScriptBinding;
  /** Returns what the Worker gets. Default: nothing. */
  connect?: (binding: Binding, script: ScriptRecord, to: Surroundings) => Connected;
  /** Returns other inputs of the Worker's process, as JSON. Default: none. */
  ingredient?: (binding: Binding, store: Store) => unknown;
}

export interface BindingType extends Definition<ScriptBinding> {
  /** Fields other than `type` and `name`; unknown fields are accepted. */
  fields: z.ZodType<ScriptBinding>;
}

export type BindingTypes = Readonly<Record<string, BindingType>>;

/** Declares a type of binding. @param fields other than `type` and `name` */
export function bindingType<F extends z.ZodRawShape>(
  fields: F,
  definition: Definition<ScriptBinding & z.output<z.ZodObject<F>>>,
): BindingType {
  // The definition receives only bindings that match `fields`.
  return {
    ...(definition as Definition<ScriptBinding>),
    fields: z.looseObject(fields) as unknown as z.ZodType<ScriptBinding>,
  };
}
