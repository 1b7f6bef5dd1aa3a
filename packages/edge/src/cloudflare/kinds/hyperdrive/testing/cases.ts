import { account_id } from "#cloudflare/api/testing/api-server.ts";
import { type Case, follow, noHex } from "#cloudflare/api/testing/case.ts";
import { hyperdriveApi } from "../api.ts";

const origin = { scheme: "postgres" as const, host: "127.0.0.1", port: 5432, database: "tenantry", user: "app" };

export const cases: Case[] = [
  {
    part: hyperdriveApi,
    create: async (cloudflare, n) =>
      (
        await cloudflare.hyperdrive.configs.create({
          account_id,
          name: `database-${n}`,
          origin: { ...origin, password: "hidden" },
        })
      ).id,
    read: (cloudflare, id) => cloudflare.hyperdrive.configs.get(id, { account_id }),
    expected: (n) => ({ name: `database-${n}`, origin }),
    list: (cloudflare) => follow(cloudflare.hyperdrive.configs.list({ account_id, per_page: 2 }), (one) => one.id),
    update: async (cloudflare, id) => {
      await cloudflare.hyperdrive.configs.update(id, {
        account_id,
        name: "renamed",
        origin: { ...origin, password: "hidden" },
      });
      await cloudflare.hyperdrive.configs.edit(id, { account_id, caching: { disabled: true } });
    },
    updated: { name: "renamed", origin, caching: { disabled: true } },
    remove: (cloudflare, id) => cloudflare.hyperdrive.configs.delete(id, { account_id }),
    missing: { id: noHex, status: 404, code: 2006 },
  },
];
