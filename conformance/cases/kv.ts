/** The cache of the dispatch Worker. */
import * as z from "zod";
import { type Case, casesOf, type Product } from "../case.ts";
import { idOf } from "../checks.ts";
import { lifecycleCases } from "../lifecycle.ts";
import { awaitText, SERVING, serveScript } from "../serving.ts";

const product: Product = {
  name: "kv",
  permission: "Workers KV Storage (Edit)",
  creates: ["kv_namespace"],
  costUsd: 0.01,
  standIn: "cloudflare/kinds/kv/namespaces.ts",
};
const namespaces = "/accounts/:account_id/storage/kv/namespaces" as const;
const item = `${namespaces}/:namespace_id` as const;

const binding: Product = {
  ...product,
  ...SERVING,
  permission: `Workers KV Storage (Edit), ${SERVING.permission}`,
  creates: ["kv_namespace", ...SERVING.creates],
  standIn: "cloudflare/kinds/kv/binding.ts",
};

const CODE = `export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (pathname === "/write") await env.KV.put("key", "value");
    return new Response((await env.KV.get("key")) ?? "missing");
  },
};`;

export const kvCases: Case[] = [
  ...lifecycleCases(product, {
    name: "namespace",
    title: "a KV namespace",
    source: "https://developers.cloudflare.com/api/resources/kv/subresources/namespaces/",
    operations: { create: `POST ${namespaces}`, read: `GET ${item}`, update: `PUT ${item}`, remove: `DELETE ${item}` },
    create: async ({ sdk }, { account_id, own }) =>
      idOf((await sdk.kv.namespaces.create({ account_id, title: own("kv_namespace") })).id),
    read: ({ sdk }, { account_id }, id) => sdk.kv.namespaces.get(id, { account_id }),
    shape: z.looseObject({ id: z.string(), title: z.string() }),
    again: {
      async create({ sdk }, { account_id, own }) {
        const title = own("kv_namespace");
        await sdk.kv.namespaces.create({ account_id, title });
        return { call: sdk.kv.namespaces.create({ account_id, title }) };
      },
      outcome: { status: 400, codes: [10014] },
      source: "https://github.com/cloudflare/workers-sdk/blob/main/packages/wrangler/src/kv/helpers.ts",
    },
    update: {
      send: ({ sdk }, { account_id, own }, id) =>
        sdk.kv.namespaces.update(id, { account_id, title: own("kv_namespace") }),
      shape: z.looseObject({ title: z.string().regex(/-2$/) }),
      reliesOn: "An update renames a KV namespace and keeps its id.",
    },
    remove: ({ sdk }, { account_id }, id) => sdk.kv.namespaces.delete(id, { account_id }),
    missing: { codes: [10013] },
  }),
  ...casesOf(binding, {
    "binding-write": {
      operations: [`POST ${namespaces}`],
      reliesOn: "A read by a Worker shows a write within two minutes, also of a key that was missing before.",
      source: "https://developers.cloudflare.com/kv/concepts/how-kv-works/",
      async run(client, scope) {
        const { account_id } = scope;
        const namespace = await client.sdk.kv.namespaces.create({ account_id, title: scope.own("kv_namespace") });
        const bindings = [{ type: "kv_namespace", name: "KV", namespace_id: namespace.id }];
        const { host } = await serveScript(client, scope, { bindings }, CODE);
        await awaitText(scope, "a missing key", host, "missing");
        await scope.visit(host, "/write");
        await awaitText(scope, "a write of KV", host, "value", { longestMs: 120_000 });
      },
    },
  }),
];
