import { type Properties, UserError } from "@tenantry/plugin-host";
import type { Api } from "../../plugin/api.ts";
import { fromRecord } from "../../plugin/casing.ts";

/** Like Cloudflare's, takes URL-encoded `name` and `scope`. */
export async function permissionGroups(api: Api, args: Properties): Promise<Properties> {
  if (args.accountId === undefined) throw new UserError("getAccountApiTokenPermissionGroupsList needs an accountId.");
  const filters = ["name", "scope"].filter((key) => typeof args[key] === "string");
  const query = Object.fromEntries(filters.map((key) => [key, decodeURIComponent(String(args[key]))]));
  const path = `/accounts/${encodeURIComponent(String(args.accountId))}/tokens/permission_groups`;
  const results: Properties[] = [];
  for await (const group of api.list(path, query)) results.push(fromRecord(group, {}));
  return { ...args, results: results.slice(0, Number(args.maxItems ?? 1000)) };
}
