import { type ApiServer, account_id } from "#cloudflare/api/testing/api-server.ts";
import { type Case, follow, given, noHex } from "#cloudflare/api/testing/case.ts";
import { tokensApi } from "../api.ts";

const policies = [
  {
    effect: "allow" as const,
    permission_groups: [{ id: "2efd5506f9c8494dacb1fa10a3e7d5b6" }],
    resources: { [`com.cloudflare.edge.r2.bucket.${account_id}_default_one`]: "*" },
  },
];

export const cases: Case[] = [
  {
    part: tokensApi,
    create: async (cloudflare, n) =>
      given((await cloudflare.accounts.tokens.create({ account_id, name: `token-${n}`, policies })).id),
    read: (cloudflare, id) => cloudflare.accounts.tokens.get(id, { account_id }),
    expected: (n) => ({ name: `token-${n}`, status: "active" }),
    list: (cloudflare) => follow(cloudflare.accounts.tokens.list({ account_id, per_page: 2 }), (one) => one.id),
    update: (cloudflare, id) =>
      cloudflare.accounts.tokens.update(id, { account_id, name: "renamed", policies, status: "disabled" }),
    updated: { name: "renamed", status: "disabled" },
    remove: (cloudflare, id) => cloudflare.accounts.tokens.delete(id, { account_id }),
    missing: { id: noHex, status: 404, code: 1003 },
  },
];

/** Calls the operations that no case covers. */
export async function otherCalls({ cloudflare }: ApiServer): Promise<void> {
  await cloudflare.user.tokens.verify();
  await cloudflare.accounts.tokens.verify({ account_id });
  await cloudflare.accounts.tokens.permissionGroups.list({ account_id });
}
