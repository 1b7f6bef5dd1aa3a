import { isObject, type Properties, UserError } from "@tenantry/plugin-host";
import type { Api } from "../../plugin/api.ts";
import { fromRecord } from "../../plugin/casing.ts";
import type { PluginPart } from "../../plugin/part.ts";

/** The provider has a policy's `resources` as JSON text, the API as an object. */
function withResources(record: Properties, convert: (resources: unknown) => unknown): Properties {
  const policies = Array.isArray(record.policies) ? record.policies.filter(isObject) : [];
  return { ...record, policies: policies.map((policy) => ({ ...policy, resources: convert(policy.resources) })) };
}

/** Like Cloudflare's, takes URL-encoded `name` and `scope`. */
async function permissionGroups(api: Api, args: Properties): Promise<Properties> {
  if (args.accountId === undefined) throw new UserError("getAccountApiTokenPermissionGroupsList needs an accountId.");
  const filters = ["name", "scope"].filter((key) => typeof args[key] === "string");
  const query = Object.fromEntries(filters.map((key) => [key, decodeURIComponent(String(args[key]))]));
  const path = `/accounts/${encodeURIComponent(String(args.accountId))}/tokens/permission_groups`;
  const results: Properties[] = [];
  for await (const group of api.list(path, query)) results.push(fromRecord(group, {}));
  return { ...args, results: results.slice(0, Number(args.maxItems ?? 1000)) };
}

export const plugin: PluginPart = {
  resources: [
    {
      type: "cloudflare:index/accountToken:AccountToken",
      collection: "/accounts/{accountId}/tokens",
      required: ["accountId", "name", "policies"],
      optional: ["condition", "expiresOn", "notBefore", "status"],
      replaceOn: ["accountId"],
      removes: "The token. Calls with it are refused at once.",
      secretOutputs: ["value"],
      outputs: { creatorEmailAtCreation: null, lastUsedOn: null, provisionerId: null, provisionerType: null },
      importId: "{accountId}",
      body: (_body, inputs) => {
        const { accountId: _, policies, condition, expiresOn, notBefore, name, status } = inputs;
        const parsed = withResources({ policies }, (resources) => JSON.parse(String(resources)));
        const groups = (parsed.policies as Properties[]).map(({ permissionGroups, effect, resources }) => ({
          effect,
          resources,
          permission_groups: permissionGroups,
        }));
        return { name, policies: groups, condition, status, expires_on: expiresOn, not_before: notBefore };
      },
      answer: (record) => withResources(record, (resources) => JSON.stringify(resources)),
    },
  ],
  functions: {
    "cloudflare:index/getAccountApiTokenPermissionGroupsList:getAccountApiTokenPermissionGroupsList": permissionGroups,
  },
};
