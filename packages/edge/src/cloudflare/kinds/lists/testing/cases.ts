import { type ApiServer, account_id } from "#cloudflare/api/testing/api-server.ts";
import { type Case, follow, given, noUuid } from "#cloudflare/api/testing/case.ts";
import { listsApi } from "../api.ts";

export const cases: Case[] = [
  {
    part: listsApi,
    create: async (cloudflare, n) => {
      const items = [{ value: "a@example.com" }];
      return given(
        (await cloudflare.zeroTrust.gateway.lists.create({ account_id, name: `list ${n}`, type: "EMAIL", items })).id,
      );
    },
    read: (cloudflare, id) => cloudflare.zeroTrust.gateway.lists.get(id, { account_id }),
    expected: (n) => ({ name: `list ${n}`, type: "EMAIL", count: 1, items: [{ value: "a@example.com" }] }),
    list: (cloudflare) => follow(cloudflare.zeroTrust.gateway.lists.list({ account_id }), (one) => one.id),
    pages: 1,
    update: async (cloudflare, id) => {
      await cloudflare.zeroTrust.gateway.lists.update(id, {
        account_id,
        name: "renamed",
        description: "who may enter",
      });
      const append = [{ value: "b@example.com" }, { value: "c@example.com" }];
      await cloudflare.zeroTrust.gateway.lists.edit(id, { account_id, append, remove: ["a@example.com"] });
    },
    updated: {
      name: "renamed",
      description: "who may enter",
      items: [{ value: "b@example.com" }, { value: "c@example.com" }],
    },
    remove: (cloudflare, id) => cloudflare.zeroTrust.gateway.lists.delete(id, { account_id }),
    missing: { id: noUuid, status: 404, code: 2022 },
  },
];

/** Calls the operations that no case covers. */
export async function otherCalls({ cloudflare }: ApiServer): Promise<void> {
  const { lists } = cloudflare.zeroTrust.gateway;
  const items = [{ value: "a@example.com", description: "a" }];
  const { id } = await lists.create({ account_id, name: "list", type: "EMAIL", items });
  await lists.items.list(given(id), { account_id });
}
