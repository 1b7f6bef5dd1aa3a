/** Kinds of the zone and of the account itself. */
import { account_id, domain, zone_id } from "./api-server.ts";
import { type Case, follow, given, noHex, withScript } from "./case.ts";

const policies = [
  {
    effect: "allow" as const,
    permission_groups: [{ id: "2efd5506f9c8494dacb1fa10a3e7d5b6" }],
    resources: { [`com.cloudflare.edge.r2.bucket.${account_id}_default_one`]: "*" },
  },
];

export const zoneCases: Case[] = [
  {
    kind: "accounts",
    given: [account_id],
    read: (cloudflare, id) => cloudflare.accounts.get({ account_id: id }),
    expected: () => ({ id: account_id }),
    list: (cloudflare) => follow(cloudflare.accounts.list({ per_page: 2 }), (one) => one.id),
    missing: { id: noHex, status: 403, code: 10000 },
  },
  {
    kind: "user",
    given: ["the one"],
    read: (cloudflare) => cloudflare.user.get(),
    expected: () => ({ email: `operator@${domain}` }),
    list: async (cloudflare) => {
      const { ids, pages } = await follow(cloudflare.memberships.list({ per_page: 5 }), (one) => one.account?.id);
      return { ids: ids.map((id) => (id === account_id ? "the one" : id)), pages };
    },
  },
  {
    kind: "tokens",
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
  {
    kind: "zones",
    given: [zone_id],
    read: (cloudflare, id) => cloudflare.zones.get({ zone_id: id }),
    expected: () => ({ id: zone_id, name: domain }),
    list: (cloudflare) => follow(cloudflare.zones.list({ name: domain, per_page: 5 }), (one) => one.id),
    missing: { id: noHex, status: 404, code: 1001 },
  },
  {
    kind: "dns-records",
    create: async (cloudflare, n) =>
      given(
        (
          await cloudflare.dns.records.create({
            zone_id,
            name: `host-${n}`,
            type: "AAAA",
            content: "100::",
            ttl: 1,
            proxied: true,
          })
        ).id,
      ),
    read: (cloudflare, id) => cloudflare.dns.records.get(id, { zone_id }),
    expected: (n) => ({ name: `host-${n}.${domain}`, type: "AAAA", content: "100::", proxied: true, ttl: 1 }),
    list: (cloudflare) => follow(cloudflare.dns.records.list({ zone_id, per_page: 2 }), (one) => one.id),
    update: async (cloudflare, id) => {
      await cloudflare.dns.records.update(id, { zone_id, name: "moved", type: "A", content: "192.0.2.1", ttl: 300 });
      await cloudflare.dns.records.edit(id, { zone_id, name: "moved", type: "A", content: "192.0.2.2", ttl: 300 });
    },
    updated: { name: `moved.${domain}`, type: "A", content: "192.0.2.2", proxied: false, ttl: 300 },
    remove: (cloudflare, id) => cloudflare.dns.records.delete(id, { zone_id }),
    missing: { id: noHex, status: 404, code: 81044 },
  },
  {
    kind: "routes",
    prepare: withScript,
    create: async (cloudflare, n) =>
      given((await cloudflare.workers.routes.create({ zone_id, pattern: `h${n}.${domain}/*`, script: "app" })).id),
    read: (cloudflare, id) => cloudflare.workers.routes.get(id, { zone_id }),
    expected: (n) => ({ pattern: `h${n}.${domain}/*`, script: "app" }),
    list: (cloudflare) => follow(cloudflare.workers.routes.list({ zone_id }), (one) => one.id),
    pages: 1,
    update: (cloudflare, id) => cloudflare.workers.routes.update(id, { zone_id, pattern: `*.${domain}/*` }),
    updated: { pattern: `*.${domain}/*` },
    remove: (cloudflare, id) => cloudflare.workers.routes.delete(id, { zone_id }),
    missing: { id: noHex, status: 404, code: 10009 },
  },
];
