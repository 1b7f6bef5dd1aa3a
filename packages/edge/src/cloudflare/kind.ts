/** What the local edge has of one kind of Cloudflare resource; `kinds.ts` lists them all. */
import type { RecordKind } from "../account/records.ts";
import type { ApiPart } from "./api/part.ts";
import type { BindingType } from "./binding.ts";
import type { PluginPart } from "./plugin/part.ts";

export interface Kind {
  /** What of it the API serves; a row each of the coverage table. Default: nothing. */
  api?: readonly ApiPart[];
  /** How Workers are bound to it, by the binding's `type`. Default: they are not. */
  bindings?: Readonly<Record<string, BindingType>>;
  /** Records whose change may make Workers start again: those of the account, and those in a dispatch namespace. Default: none. */
  ingredients?: { account?: readonly RecordKind[]; namespaced?: readonly RecordKind[] };
  /** Its resources in the vendor's Pulumi plug-in; read by the plug-in's stand-in alone. Default: it has none. */
  plugin?: () => Promise<{ plugin: PluginPart }>;
}
