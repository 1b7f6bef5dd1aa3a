/** The cache of the dispatch Worker. */
import * as z from "zod";
import { type Case, idOf, type Product } from "../case.ts";
import { lifecycleCases } from "../lifecycle.ts";

const product: Product = {
  name: "kv",
  permission: "Workers KV Storage (Edit)",
  creates: ["kv_namespace"],
  costUsd: 0.01,
  standIn: "cloudflare/kinds/kv/namespaces.ts",
};
const namespaces = "/accounts/:account_id/storage/kv/namespaces" as const;
const item = `${namespaces}/:namespace_id` as const;

export const kvCases: Case[] = lifecycleCases(product, {
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
});
