import { account_id } from "#cloudflare/api/testing/api-server.ts";
import { type Case, follow, noHex } from "#cloudflare/api/testing/case.ts";
import { accountsApi } from "../accounts.ts";

export const cases: Case[] = [
  {
    part: accountsApi,
    given: [account_id],
    read: (cloudflare, id) => cloudflare.accounts.get({ account_id: id }),
    expected: () => ({ id: account_id }),
    list: (cloudflare) => follow(cloudflare.accounts.list({ per_page: 2 }), (one) => one.id),
    missing: { id: noHex, status: 403, code: 10000 },
  },
];
