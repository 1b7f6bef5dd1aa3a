import { account_id, domain } from "#cloudflare/api/testing/api-server.ts";
import { type Case, follow } from "#cloudflare/api/testing/case.ts";
import { userApi } from "../user.ts";

export const cases: Case[] = [
  {
    part: userApi,
    given: ["the one"],
    read: (cloudflare) => cloudflare.user.get(),
    expected: () => ({ email: `operator@${domain}` }),
    list: async (cloudflare) => {
      const { ids, pages } = await follow(cloudflare.memberships.list({ per_page: 5 }), (one) => one.account?.id);
      return { ids: ids.map((id) => (id === account_id ? "the one" : id)), pages };
    },
  },
];
