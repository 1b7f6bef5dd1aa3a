import { isObject } from "@tenantry/plugin-host";
import type { PluginPart } from "../../plugin/part.ts";

export const plugin: PluginPart = {
  resources: [
    /** For existing stacks of earlier versions, which declared lists; their next run deletes them. */
    {
      type: "cloudflare:index/zeroTrustList:ZeroTrustList",
      collection: "/accounts/{accountId}/gateway/lists",
      required: ["accountId", "name", "type"],
      optional: ["description", "items"],
      replaceOn: ["accountId", "type"],
      removes: "The list with its items.",
      renames: { listCount: "count" },
      importId: "{accountId}",
      // Without `items`, a change does not affect the members, which have another owner.
      answer: (record) => {
        const { items, ...rest } = record;
        if (!Array.isArray(items)) return record;
        const values = items.filter(isObject).map(({ value, description }) => ({ value, description }));
        return { ...rest, items: values.toSorted((a, b) => (String(a.value) < String(b.value) ? -1 : 1)) };
      },
    },
  ],
};
