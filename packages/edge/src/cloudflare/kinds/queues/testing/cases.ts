import type Cloudflare from "cloudflare";
import { account_id, uploadScript } from "#cloudflare/api/testing/api-server.ts";
import { type Case, follow, given, noHex, withScript } from "#cloudflare/api/testing/case.ts";
import { queuesApi } from "../api.ts";
import { queueConsumersApi } from "../consumers.ts";

async function theQueue(cloudflare: Cloudflare): Promise<string> {
  return given((await cloudflare.queues.list({ account_id })).result[0]?.queue_id);
}

export const cases: Case[] = [
  {
    part: queuesApi,
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
    part: queueConsumersApi,
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
];
