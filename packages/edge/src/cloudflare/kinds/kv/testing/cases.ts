import type Cloudflare from "cloudflare";
import { type ApiServer, account_id } from "#cloudflare/api/testing/api-server.ts";
import { type Case, follow, given, noHex } from "#cloudflare/api/testing/case.ts";
import { kvEntriesApi } from "../entries.ts";
import { kvNamespacesApi } from "../namespaces.ts";

async function theNamespace(cloudflare: Cloudflare): Promise<string> {
  return given((await cloudflare.kv.namespaces.list({ account_id })).result[0]?.id);
}

export const cases: Case[] = [
  {
    part: kvNamespacesApi,
    create: async (cloudflare, n) => (await cloudflare.kv.namespaces.create({ account_id, title: `title-${n}` })).id,
    read: (cloudflare, id) => cloudflare.kv.namespaces.get(id, { account_id }),
    expected: (n) => ({ title: `title-${n}` }),
    list: (cloudflare) => follow(cloudflare.kv.namespaces.list({ account_id, per_page: 2 }), (one) => one.id),
    update: (cloudflare, id) => cloudflare.kv.namespaces.update(id, { account_id, title: "renamed" }),
    updated: { title: "renamed" },
    remove: (cloudflare, id) => cloudflare.kv.namespaces.delete(id, { account_id }),
    missing: { id: noHex, status: 404, code: 10013 },
  },
  {
    part: kvEntriesApi,
    prepare: ({ cloudflare }) => cloudflare.kv.namespaces.create({ account_id, title: "index" }),
    create: async (cloudflare, n) => {
      const entry = { account_id, namespace_id: await theNamespace(cloudflare), value: `value ${n}` };
      await cloudflare.kv.namespaces.values.update(`slug:${n}/a b`, entry);
      return `slug:${n}/a b`;
    },
    read: async (cloudflare, id) => ({
      text: await (
        await cloudflare.kv.namespaces.values.get(id, { account_id, namespace_id: await theNamespace(cloudflare) })
      ).text(),
    }),
    expected: (n) => ({ text: `value ${n}` }),
    list: async (cloudflare) =>
      follow(
        cloudflare.kv.namespaces.keys.list(await theNamespace(cloudflare), { account_id, limit: 2 }),
        (one) => one.name,
      ),
    update: async (cloudflare, id) =>
      cloudflare.kv.namespaces.values.update(id, {
        account_id,
        namespace_id: await theNamespace(cloudflare),
        value: "other",
      }),
    updated: { text: "other" },
    remove: async (cloudflare, id) =>
      cloudflare.kv.namespaces.values.delete(id, { account_id, namespace_id: await theNamespace(cloudflare) }),
    missing: { id: "none", status: 404, code: 10009 },
  },
];

/** Calls the operations that no case covers. */
export async function otherCalls({ cloudflare }: ApiServer): Promise<void> {
  const { namespaces } = cloudflare.kv;
  const { id: namespace_id } = await namespaces.create({ account_id, title: "index" });
  const entry = { account_id, namespace_id, value: "v", expiration_ttl: 60, metadata: { plan: "pro" } };
  await namespaces.values.update("a", entry);
  await namespaces.metadata.get("a", { account_id, namespace_id });
  await namespaces.keys.list(namespace_id, { account_id, prefix: "a", limit: 10 });
  await namespaces.bulkUpdate(namespace_id, { account_id, body: [{ key: "b", value: "1" }] });
  await namespaces.bulkDelete(namespace_id, { account_id, body: ["b"] });
  await cloudflare.delete(`/accounts/${account_id}/storage/kv/namespaces/${namespace_id}/bulk`, { body: ["a"] });
}
