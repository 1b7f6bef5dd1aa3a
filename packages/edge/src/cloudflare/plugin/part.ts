import type { Properties, Resource } from "@tenantry/plugin-host";
import type { Api } from "./api.ts";
import type { ApiResource } from "./api-resource.ts";

/** The part of a kind in the emulated provider `cloudflare`. */
export interface PluginPart {
  resources?: readonly ApiResource[];
  /** Resource types with code. @param directory of the stack program, the base of relative paths */
  custom?: (directory: string) => readonly Resource<Api>[];
  /** Functions by token. Default: none. */
  functions?: Readonly<Record<string, (api: Api, args: Properties) => Promise<Properties>>>;
}
