import type { RecordKind } from "../account/records.ts";
import type { ApiPart } from "./api/operations.ts";
import type { BindingType } from "./binding.ts";
import type { PluginPart } from "./plugin/part.ts";

export interface Kind {
  /** Served parts of the API, one row each in the coverage table. Default: none. */
  api?: readonly ApiPart[];
  /** Types of bindings. Default: none. */
  bindings?: Readonly<Record<string, BindingType>>;
  /** Records whose change restarts Workers of the account and of dispatch namespaces. Default: none. */
  ingredients?: { account?: readonly RecordKind[]; namespaced?: readonly RecordKind[] };
  /** Its resources in the emulated Pulumi provider `cloudflare`. Default: none. */
  plugin?: () => Promise<{ plugin: PluginPart }>;
}
