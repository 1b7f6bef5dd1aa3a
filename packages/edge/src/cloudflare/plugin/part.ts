/** What a kind adds to the stand-in for the vendor's plug-in `cloudflare`. */
import type { Properties, Resource } from "@tenantry/plugin-host";
import type { Api } from "./api.ts";

export interface PluginPart {
  /** Its resources; given is where the stack program runs, from where relative paths count. */
  resources: readonly Resource<Api>[] | ((directory: string) => readonly Resource<Api>[]);
  /** Functions by their tokens. Default: none. */
  functions?: Readonly<Record<string, (api: Api, args: Properties) => Promise<Properties>>>;
}
