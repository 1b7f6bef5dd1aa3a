/** Kinds of Zero Trust, and AI gateways. */
import { account_id, domain } from "./api-server.ts";
import { type Case, follow, given, noUuid } from "./case.ts";

const everyone = [{ everyone: {} }];
const own = { name: "own", decision: "bypass", include: everyone, precedence: 1 };
const settings = {
  cache_invalidate_on_update: true,
  cache_ttl: 0,
  collect_logs: true,
  rate_limiting_interval: 0,
  rate_limiting_limit: 0,
  dlp: { enabled: true, action: "BLOCK" as const, profiles: ["pii"] },
};

export const accessCases: Case[] = [
  {
    kind: "access-applications",
    create: async (cloudflare, n) => {
      const application = await cloudflare.zeroTrust.access.applications.create({
        account_id,
        name: `application ${n}`,
        type: "self_hosted",
        domain: `t${n}.${domain}`,
        session_duration: "8h",
        skip_interstitial: true,
      });
      return given(application.id);
    },
    read: (cloudflare, id) => cloudflare.zeroTrust.access.applications.get(id, { account_id }),
    expected: (n) => ({
      name: `application ${n}`,
      domain: `t${n}.${domain}`,
      session_duration: "8h",
      skip_interstitial: true,
      policies: [],
    }),
    list: (cloudflare) =>
      follow(cloudflare.zeroTrust.access.applications.list({ account_id, per_page: 2 }), (one) => one.id),
    update: (cloudflare, id) =>
      cloudflare.zeroTrust.access.applications.update(id, {
        account_id,
        name: "renamed",
        type: "self_hosted",
        domain: `moved.${domain}/api/health`,
        policies: [own],
      }),
    updated: {
      name: "renamed",
      domain: `moved.${domain}/api/health`,
      session_duration: "24h",
      policies: [own],
    },
    remove: (cloudflare, id) => cloudflare.zeroTrust.access.applications.delete(id, { account_id }),
    missing: { id: noUuid, status: 404, code: 11021 },
  },
  {
    kind: "access-policies",
    create: async (cloudflare, n) => {
      const policy = { account_id, name: `policy ${n}`, decision: "allow" as const, include: everyone };
      return given((await cloudflare.zeroTrust.access.policies.create(policy)).id);
    },
    read: (cloudflare, id) => cloudflare.zeroTrust.access.policies.get(id, { account_id }),
    expected: (n) => ({ name: `policy ${n}`, decision: "allow", include: everyone, exclude: [], reusable: true }),
    list: (cloudflare) =>
      follow(cloudflare.zeroTrust.access.policies.list({ account_id, per_page: 2 }), (one) => one.id),
    update: (cloudflare, id) =>
      cloudflare.zeroTrust.access.policies.update(id, {
        account_id,
        name: "renamed",
        decision: "deny",
        include: [{ email: { email: "a@example.com" } }],
      }),
    updated: { name: "renamed", decision: "deny", include: [{ email: { email: "a@example.com" } }] },
    remove: (cloudflare, id) => cloudflare.zeroTrust.access.policies.delete(id, { account_id }),
    missing: { id: noUuid, status: 404, code: 12083 },
  },
  {
    kind: "access-groups",
    create: async (cloudflare, n) =>
      given(
        (await cloudflare.zeroTrust.access.groups.create({ account_id, name: `group ${n}`, include: everyone })).id,
      ),
    read: (cloudflare, id) => cloudflare.zeroTrust.access.groups.get(id, { account_id }),
    expected: (n) => ({ name: `group ${n}`, include: everyone, exclude: [], require: [] }),
    list: (cloudflare) => follow(cloudflare.zeroTrust.access.groups.list({ account_id, per_page: 2 }), (one) => one.id),
    update: (cloudflare, id) =>
      cloudflare.zeroTrust.access.groups.update(id, {
        account_id,
        name: "renamed",
        include: [{ email_domain: { domain: "example.com" } }],
      }),
    updated: { name: "renamed", include: [{ email_domain: { domain: "example.com" } }] },
    remove: (cloudflare, id) => cloudflare.zeroTrust.access.groups.delete(id, { account_id }),
    missing: { id: noUuid, status: 404, code: 12109 },
  },
  {
    kind: "lists",
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
  {
    kind: "ai-gateways",
    create: async (cloudflare, n) =>
      (await cloudflare.aiGateway.create({ account_id, id: `pool-${n}`, ...settings })).id,
    read: (cloudflare, id) => cloudflare.aiGateway.get(id, { account_id }),
    expected: (n) => ({ id: `pool-${n}`, ...settings }),
    list: (cloudflare) => follow(cloudflare.aiGateway.list({ account_id, per_page: 2 }), (one) => one.id),
    update: (cloudflare, id) =>
      cloudflare.aiGateway.update(id, { account_id, ...settings, authentication: true, cache_ttl: 60 }),
    updated: { ...settings, authentication: true, cache_ttl: 60 },
    remove: (cloudflare, id) => cloudflare.aiGateway.delete(id, { account_id }),
    missing: { id: "nowhere", status: 404, code: 7002 },
  },
];
