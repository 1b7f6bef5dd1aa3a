/** Kinds that hold data: namespaces, buckets, queues, databases. */
import type Cloudflare from "cloudflare";
import { account_id, uploadScript } from "./api-server.ts";
import { type Case, follow, given, noHex, withScript } from "./case.ts";

/** The one key-value namespace that was prepared. */
async function theNamespace(cloudflare: Cloudflare): Promise<string> {
  return given((await cloudflare.kv.namespaces.list({ account_id })).result[0]?.id);
}

/** The one queue that was prepared. */
async function theQueue(cloudflare: Cloudflare): Promise<string> {
  return given((await cloudflare.queues.list({ account_id })).result[0]?.queue_id);
}

const origin = { scheme: "postgres" as const, host: "127.0.0.1", port: 5432, database: "tenantry", user: "app" };

export const storageCases: Case[] = [
  {
    kind: "kv-namespaces",
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
    kind: "kv-entries",
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
  {
    kind: "r2-buckets",
    create: async (cloudflare, n) =>
      given((await cloudflare.r2.buckets.create({ account_id, name: `backup-${n}`, locationHint: "weur" })).name),
    read: (cloudflare, id) => cloudflare.r2.buckets.get(id, { account_id }),
    expected: (n) => ({ name: `backup-${n}`, location: "weur", storage_class: "Standard" }),
    list: async (cloudflare) => {
      const ids: unknown[] = [];
      let pages = 0;
      for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
        const query = { per_page: 2, ...(cursor === undefined ? {} : { cursor }) };
        const answer: unknown = await cloudflare.get(`/accounts/${account_id}/r2/buckets`, { query });
        const page = answer as { result: { buckets: { name: string }[] }; result_info: { cursor?: string } };
        ids.push(...page.result.buckets.map((bucket) => bucket.name));
        cursor = page.result_info.cursor;
        pages += 1;
      }
      return { ids, pages };
    },
    update: (cloudflare, id) => cloudflare.r2.buckets.edit(id, { account_id, storage_class: "InfrequentAccess" }),
    updated: { storage_class: "InfrequentAccess" },
    remove: (cloudflare, id) => cloudflare.r2.buckets.delete(id, { account_id }),
    missing: { id: "no-bucket", status: 404, code: 10006 },
  },
  {
    kind: "queues",
    create: async (cloudflare, n) =>
      given((await cloudflare.queues.create({ account_id, queue_name: `queue-${n}` })).queue_id),
    read: (cloudflare, id) => cloudflare.queues.get(id, { account_id }),
    expected: (n) => ({ queue_name: `queue-${n}`, consumers_total_count: 0, producers: [] }),
    list: (cloudflare) => follow(cloudflare.queues.list({ account_id }), (one) => one.queue_id),
    pages: 1,
    update: async (cloudflare, id) => {
      await cloudflare.queues.update(id, { account_id, queue_name: "renamed" });
      await cloudflare.queues.edit(id, { account_id, settings: { delivery_delay: 5 } });
    },
    updated: { queue_name: "renamed", settings: { delivery_delay: 5 } },
    remove: (cloudflare, id) => cloudflare.queues.delete(id, { account_id }),
    missing: { id: noHex, status: 404, code: 11000 },
  },
  {
    kind: "queue-consumers",
    prepare: async (server) => {
      await withScript(server);
      await uploadScript(server.cloudflare, "other");
      await server.cloudflare.queues.create({ account_id, queue_name: "fanout" });
    },
    create: async (cloudflare, n) => {
      if (n > 0)
        return given(
          (await cloudflare.queues.consumers.list(await theQueue(cloudflare), { account_id })).result[0]?.consumer_id,
        );
      const body = { account_id, type: "worker" as const, script_name: "app", settings: { batch_size: 5 } };
      return given((await cloudflare.queues.consumers.create(await theQueue(cloudflare), body)).consumer_id);
    },
    read: async (cloudflare, id) =>
      cloudflare.queues.consumers.get(id, { account_id, queue_id: await theQueue(cloudflare) }),
    expected: () => ({ script_name: "app", queue_name: "fanout", settings: { batch_size: 5, max_retries: 3 } }),
    list: async (cloudflare) =>
      follow(cloudflare.queues.consumers.list(await theQueue(cloudflare), { account_id }), (one) => one.consumer_id),
    pages: 1,
    update: async (cloudflare, id) =>
      cloudflare.queues.consumers.update(id, {
        account_id,
        queue_id: await theQueue(cloudflare),
        type: "worker",
        script_name: "other",
        settings: { batch_size: 7 },
      }),
    updated: { script_name: "other", settings: { batch_size: 7 } },
    remove: async (cloudflare, id) =>
      cloudflare.queues.consumers.delete(id, { account_id, queue_id: await theQueue(cloudflare) }),
    missing: { id: noHex, status: 404, code: 11006 },
  },
  {
    kind: "hyperdrive",
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
