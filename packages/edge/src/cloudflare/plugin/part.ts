/** The part of a kind in the emulated provider `cloudflare`. */
import type { Properties, Resource } from "@tenantry/plugin-host";
import type { Api } from "./api.ts";

export interface PluginPart {
  /** Resource types. @param directory of the stack program, the base of relative paths */
  resources: readonly Resource<Api>[] | ((directory: string) => readonly Resource<Api>[]);
  /** Functions by token. Default: none. */
  functions?: Readonly<Record<string, (api: Api, args: Properties) => Promise<Properties>>>;
}
