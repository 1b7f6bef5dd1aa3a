/** The queue by which the dispatch Worker fans out. */
import * as z from "zod";
import { type Case, casesOf, NOT_DOCUMENTED, type Product } from "../case.ts";
import { checkRefused, idOf } from "../checks.ts";
import { lifecycleCases } from "../lifecycle.ts";
import type { Client } from "../run/client.ts";
import type { Scope } from "../run/scope.ts";
import { awaitText, SERVING, serveScript } from "../serving.ts";
import { createScript } from "../uploads.ts";

const queues: Product = {
  name: "queues",
  permission: "Queues (Edit)",
  creates: ["queue"],
  costUsd: 0.01,
  standIn: "cloudflare/kinds/queues/api.ts",
};
const consumers: Product = {
  ...queues,
  permission: "Queues (Edit) and Workers Scripts (Edit)",
  creates: ["queue", "script"],
  standIn: "cloudflare/kinds/queues/consumers.ts",
};
const delivery: Product = {
  ...queues,
  ...SERVING,
  permission: `Queues (Edit), Workers KV Storage (Edit), ${SERVING.permission}`,
  creates: ["queue", "kv_namespace", ...SERVING.creates],
  standIn: "cloudflare/kinds/queues/binding.ts",
};
const path = "/accounts/:account_id/queues" as const;
const item = `${path}/:queue_id` as const;
const consumer = `${item}/consumers/:consumer_id` as const;
const SOURCE = "https://developers.cloudflare.com/api/resources/queues/";
/** As `components/workers/dispatch-worker.ts` declares it. */
const HANDLER = `export default { fetch: () => new Response("hello"), queue: () => {} };`;

/** Sends a message, and writes what it receives. */
const RELAY = `export default {
  async fetch(request, env) {
    if (new URL(request.url).pathname === "/send") await env.QUEUE.send({ kind: "invalidate" });
    return new Response((await env.KV.get("received")) ?? "none");
  },
  async queue(batch, env) {
    for (const message of batch.messages) await env.KV.put("received", message.body.kind);
  },
};`;

const createQueue = async ({ sdk }: Client, { account_id, own }: Scope) =>
  idOf((await sdk.queues.create({ account_id, queue_name: own("queue") })).queue_id);

async function createConsumer(client: Client, scope: Scope, queue: string): Promise<string> {
  const { account_id } = scope;
  const script_name = await createScript(client, scope, {}, HANDLER);
  const settings = { batch_size: 10, max_retries: 3 };
  const made = await client.sdk.queues.consumers.create(queue, { account_id, type: "worker", script_name, settings });
  return `${queue}/${idOf(made.consumer_id)}`;
}

const idsOf = ({ account_id }: Scope, id: string) => {
  const [queue_id = "", consumer_id = ""] = id.split("/");
  return { consumer_id, params: { account_id, queue_id } };
};

export const queueCases: Case[] = [
  ...lifecycleCases(queues, {
    name: "queue",
    title: "a queue",
    source: SOURCE,
    operations: { create: `POST ${path}`, read: `GET ${item}`, update: `PUT ${item}`, remove: `DELETE ${item}` },
    create: createQueue,
    read: ({ sdk }, { account_id }, id) => sdk.queues.get(id, { account_id }),
    shape: z.looseObject({ queue_id: z.string(), queue_name: z.string(), consumers_total_count: z.literal(0) }),
    again: {
      async create({ sdk }, { account_id, own }) {
        const queue_name = own("queue");
        await sdk.queues.create({ account_id, queue_name });
        return { call: sdk.queues.create({ account_id, queue_name }) };
      },
      outcome: { status: 409, codes: [11009] },
      source: NOT_DOCUMENTED,
    },
    update: {
      send: ({ sdk }, { account_id, own }, id) => sdk.queues.update(id, { account_id, queue_name: own("queue") }),
      shape: z.looseObject({ queue_name: z.string().regex(/-2$/) }),
      reliesOn: "An update renames a queue and keeps its id.",
    },
    remove: ({ sdk }, { account_id }, id) => sdk.queues.delete(id, { account_id }),
  }),
  ...lifecycleCases(consumers, {
    name: "consumer",
    title: "a consumer of a queue",
    source: `${SOURCE}subresources/consumers/`,
    operations: {
      create: `POST ${item}/consumers`,
      read: `GET ${consumer}`,
      update: `PUT ${consumer}`,
      remove: `DELETE ${consumer}`,
    },
    create: async (client, scope) => createConsumer(client, scope, await createQueue(client, scope)),
    read({ sdk }, scope, id) {
      const { consumer_id, params } = idsOf(scope, id);
      return sdk.queues.consumers.get(consumer_id, params);
    },
    shape: z.looseObject({
      consumer_id: z.string(),
      type: z.literal("worker"),
      settings: z.looseObject({ batch_size: z.literal(10), max_retries: z.literal(3) }),
    }),
    again: {
      async create(client, scope) {
        const queue = await createQueue(client, scope);
        await createConsumer(client, scope, queue);
        return { call: createConsumer(client, scope, queue) };
      },
      outcome: { status: 409, codes: [11004] },
      reliesOn: "A second Worker that consumes the same queue is refused with status 409.",
      source: NOT_DOCUMENTED,
    },
    update: {
      async send(client, scope, id) {
        const { consumer_id, params } = idsOf(scope, id);
        const script_name = await createScript(client, scope, {}, HANDLER);
        const body = { type: "worker" as const, script_name, settings: { batch_size: 5 } };
        return client.sdk.queues.consumers.update(consumer_id, { ...params, ...body });
      },
      shape: z.looseObject({ settings: z.looseObject({ batch_size: z.literal(5) }) }),
      reliesOn: "An update changes script and settings of a consumer, and keeps its id.",
    },
    remove({ sdk }, scope, id) {
      const { consumer_id, params } = idsOf(scope, id);
      return sdk.queues.consumers.delete(consumer_id, params);
    },
  }),
  ...casesOf(consumers, {
    "consumer-script-delete": {
      operations: [`POST ${item}/consumers`],
      reliesOn: "A script that consumes a queue is not deleted without force, so the consumer is deleted before it.",
      source: NOT_DOCUMENTED,
      async run(client, scope) {
        const { account_id } = scope;
        const queue = await createQueue(client, scope);
        const script_name = await createScript(client, scope, {}, HANDLER);
        await client.sdk.queues.consumers.create(queue, { account_id, type: "worker", script_name });
        const remove = client.sdk.workers.scripts.delete(script_name, { account_id });
        await checkRefused("a delete of a script that consumes a queue", remove, 400, 10064);
      },
    },
  }),
  ...casesOf(delivery, {
    "consumer-receives": {
      operations: [`POST ${path}`, `POST ${item}/consumers`],
      reliesOn: "A consumer receives an object that a Worker sends, within a minute.",
      source: "https://developers.cloudflare.com/queues/configuration/javascript-apis/",
      async run(client, scope) {
        const { account_id } = scope;
        const queue_name = scope.own("queue");
        const queue = idOf((await client.sdk.queues.create({ account_id, queue_name })).queue_id);
        const { id } = await client.sdk.kv.namespaces.create({ account_id, title: scope.own("kv_namespace") });
        const kv = { type: "kv_namespace", name: "KV", namespace_id: id };
        const bindings = [kv, { type: "queue", name: "QUEUE", queue_name }];
        const { host, script } = await serveScript(client, scope, { bindings }, RELAY);
        const settings = { batch_size: 1, max_wait_time_ms: 1000 };
        await client.sdk.queues.consumers.create(queue, { account_id, type: "worker", script_name: script, settings });
        await awaitText(scope, "a new host", host, "none");
        await scope.visit(host, "/send");
        await awaitText(scope, "a message of a queue", host, "invalidate");
      },
    },
  }),
];
