/** Things of the account that are a tenant's by their names, as the API tells of them. */
import type Cloudflare from "cloudflare";
import type { Platform } from "../platform.ts";
import type { TenantsByName } from "./tenants-by-name.ts";

export const thingKinds = [
  "dns_record",
  "container_application",
  "script",
  "access_application",
  "access_policy",
  "access_group",
  "api_token",
  "ai_gateway",
  "bucket",
] as const;
/** In the order in which they are removed: what refers to another before that one. */
export type ThingKind = (typeof thingKinds)[number];

export interface Thing {
  kind: ThingKind;
  /** By which the API is asked for it. */
  id: string;
  /** What never changes of it: the id; of what only its name tells apart, the name and when it was made. */
  identity: string;
  name: string;
  /** Slug that its name names. */
  tenant: string;
  /** As the API writes it; `null` where it does not tell. */
  createdAt: string | null;
}

export interface AccountArgs {
  client: Cloudflare;
  platform: Platform;
  tenants: TenantsByName;
}

/** A kind of things: how they are listed, and how one is removed. */
export interface AccountKind {
  kind: ThingKind;
  /** One of them, as people call it. */
  title: string;
  /** The right that the API token needs to list them, as the vendor names it. */
  right: string;
  /**
   * All that are a tenant's of this environment, by name and make. What is not surely so is left out: it is somebody else's.
   *
   * @throws Error of the SDK; a list that broke off is none
   */
  list(args: AccountArgs): Promise<Thing[]>;
  /** What is there now under the id; `undefined` where nothing of a tenant's is. */
  find(args: AccountArgs, thing: Thing): Promise<Thing | undefined>;
  /** Why it may not go although nobody owns it; `undefined` where it may. Default: it may. */
  hold?(args: AccountArgs, thing: Thing): Promise<string | undefined>;
  /** Removes it by its id. */
  remove(args: AccountArgs, thing: Thing): Promise<void>;
}
