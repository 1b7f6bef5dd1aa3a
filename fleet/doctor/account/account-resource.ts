/** Resources of the Cloudflare account that belong to a tenant by their names. */
import { undefinedIfNotFound } from "@tenantry/cloudflare-client/not-found";
import type Cloudflare from "cloudflare";
import type { Platform } from "../platform.ts";
import type { TenantsByName } from "./tenants-by-name.ts";

/** In the order of removal: a resource comes before those that it refers to. */
export const resourceKinds = [
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
export type ResourceKind = (typeof resourceKinds)[number];

export interface AccountResource {
  kind: ResourceKind;
  /** Id in the API. */
  id: string;
  /** The id. If a later resource may have the same id: id and creation time. */
  identity: string;
  name: string;
  /** Slug in its name. */
  tenant: string;
  /** As the API writes it; `null` if unknown. */
  createdAt: string | null;
}

export interface AccountArgs {
  client: Cloudflare;
  platform: Platform;
  tenants: TenantsByName;
}

export interface AccountKind {
  title: string;
  /** Cloudflare's name of the permission that lists them. */
  right: string;
  /** Lists the resources that certainly belong to a tenant of this environment. @throws Error of the SDK */
  list(args: AccountArgs): Promise<AccountResource[]>;
  /** Reads the resource that has this id now; `undefined` if none that belongs to a tenant has it. */
  find(args: AccountArgs, id: string): Promise<AccountResource | undefined>;
  /** Returns why it must stay although it has no owner. Default: it may be removed. */
  hold?(args: AccountArgs, id: string): Promise<string | undefined>;
  remove(args: AccountArgs, id: string): PromiseLike<unknown>;
}

type ParsedResource = Omit<AccountResource, "kind" | "identity"> & { identity?: string };
type CallArgs = AccountArgs & { account: { account_id: string } };

interface KindDefinition extends Pick<AccountKind, "title" | "right" | "hold"> {
  list(args: CallArgs): AsyncIterable<unknown>;
  get(args: CallArgs, id: string): PromiseLike<unknown>;
  remove(args: CallArgs, id: string): PromiseLike<unknown>;
  /** @returns `undefined` unless the record belongs to a tenant of this environment */
  parse(args: AccountArgs, record: unknown): ParsedResource | undefined;
}

export function accountKind(kind: ResourceKind, { list, get, remove, parse, ...rest }: KindDefinition): AccountKind {
  const callArgs = (args: AccountArgs) => ({ ...args, account: { account_id: args.platform.accountId } });
  const resourceOf = (args: AccountArgs, record: unknown): AccountResource[] => {
    const parsed = parse(args, record);
    return parsed === undefined ? [] : [{ kind, identity: parsed.id, ...parsed }];
  };
  return {
    ...rest,
    async list(args) {
      const resources: AccountResource[] = [];
      for await (const record of list(callArgs(args))) resources.push(...resourceOf(args, record));
      return resources;
    },
    async find(args, id) {
      const record = await undefinedIfNotFound(get(callArgs(args), id));
      return record === undefined ? undefined : resourceOf(args, record)[0];
    },
    remove: (args, id) => remove(callArgs(args), id),
  };
}
