/** Buckets of backups. */
import * as z from "zod";
import { type Case, casesOf, NOT_DOCUMENTED, type Product } from "../case.ts";
import { checkEqual, checkRefused, checkShape, checkThat, idOf } from "../checks.ts";
import { lifecycleCases, operationsOf } from "../lifecycle.ts";
import type { Client } from "../run/client.ts";
import type { Scope } from "../run/scope.ts";
import { awaitText, SERVING, serveScript } from "../serving.ts";

const product: Product = {
  name: "r2",
  permission: "Workers R2 Storage (Edit)",
  creates: ["bucket"],
  requires: "R2",
  costUsd: 0.01,
  standIn: "cloudflare/kinds/r2/api.ts",
};
const path = "/accounts/:account_id/r2/buckets" as const;
const item = `${path}/:bucket_name` as const;
const SOURCE = "https://developers.cloudflare.com/api/resources/r2/subresources/buckets/";
const ERRORS = "https://developers.cloudflare.com/r2/api/error-codes/";

async function create({ sdk }: Client, { account_id, own }: Scope): Promise<string> {
  const name = own("bucket");
  return idOf((await sdk.r2.buckets.create({ account_id, name })).name);
}

const binding: Product = {
  ...product,
  ...SERVING,
  permission: `Workers R2 Storage (Edit), ${SERVING.permission}`,
  creates: ["bucket", ...SERVING.creates],
  standIn: "cloudflare/kinds/r2/binding.ts",
};

/** Writes, lists and deletes an object, as backups do. */
const CODE = `export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (pathname === "/delete") await env.BUCKET.delete("backups/a");
    if (pathname === "/write") await env.BUCKET.put("backups/a", "state", { customMetadata: { digest: "d" } });
    const { objects, truncated } = await env.BUCKET.list({ prefix: "backups/", include: ["customMetadata"] });
    const found = objects.map(({ key, size, customMetadata }) => ({ key, size, customMetadata }));
    return new Response(JSON.stringify({ found, truncated }));
  },
};`;

/** As the doctor lists buckets (`fleet/doctor/account/kinds/bucket.ts`). */
async function list({ sdk }: Client, { account_id }: Scope, per_page = 1000): Promise<string[]> {
  const names: string[] = [];
  for (let after: string | undefined; ; after = names.at(-1)) {
    const query = { account_id, per_page, order: "name" as const, direction: "asc" as const };
    const { buckets = [] } = await sdk.r2.buckets.list({
      ...query,
      ...(after !== undefined && { start_after: after }),
    });
    names.push(...buckets.map(({ name }) => idOf(name)));
    if (buckets.length < per_page) return names;
  }
}

export const r2Cases: Case[] = [
  ...lifecycleCases(product, {
    name: "bucket",
    title: "a bucket",
    source: SOURCE,
    operations: operationsOf(path, item, "PATCH"),
    create,
    read: ({ sdk }, { account_id }, name) => sdk.r2.buckets.get(name, { account_id }),
    shape: z.looseObject({
      name: z.string(),
      creation_date: z.iso.datetime({ offset: true }),
      location: z.string(),
      storage_class: z.literal("Standard"),
    }),
    again: {
      async create(client, scope) {
        const name = await create(client, scope);
        return { call: client.sdk.r2.buckets.create({ account_id: scope.account_id, name }) };
      },
      outcome: { status: 409, codes: [10004] },
      source: ERRORS,
    },
    list: (client, scope) => list(client, scope),
    update: {
      send: ({ sdk }, { account_id }, name) =>
        sdk.r2.buckets.edit(name, { account_id, storage_class: "InfrequentAccess" }),
      shape: z.looseObject({ storage_class: z.literal("InfrequentAccess") }),
      reliesOn: "An update changes a bucket's storage class.",
    },
    remove: ({ sdk }, { account_id }, name) => sdk.r2.buckets.delete(name, { account_id }),
    missing: { codes: [10006], source: ERRORS },
  }),
  ...casesOf(product, {
    "bucket-pages": {
      operations: [`GET ${path}`],
      reliesOn: "The list continues after `start_after`, in the order of names, without repeats.",
      source: `${SOURCE}methods/list/`,
      async run(client, scope) {
        const made = [await create(client, scope), await create(client, scope), await create(client, scope)];
        const read = () => list(client, scope, 2);
        const includes = (names: string[]) => made.every((name) => names.includes(name));
        const names = await scope.eventually("three buckets over pages of two", read, includes);
        checkEqual("The number of different names", new Set(names).size, names.length);
        checkThat(
          "the names are sorted",
          names.every((name, index) => index === 0 || (names[index - 1] ?? "") < name),
        );
      },
    },
    "bucket-objects": {
      operations: [`GET ${item}/objects`],
      reliesOn: "The list of objects of an empty bucket is empty, so the doctor may delete the bucket.",
      source: `${SOURCE}subresources/objects/`,
      async run(client, scope) {
        const name = await create(client, scope);
        const page = await client.sdk.r2.buckets.objects.list(name, { account_id: scope.account_id, per_page: 1 });
        checkEqual("The objects", page.result, []);
      },
    },
    "bucket-invalid-name": {
      operations: [`POST ${path}`],
      reliesOn: "A name with an upper-case letter is refused with 400.",
      source: "https://developers.cloudflare.com/r2/buckets/create-buckets/#bucket-level-operations",
      async run({ sdk }, { account_id, name }) {
        const create = sdk.r2.buckets.create({ account_id, name: `${name()}-A` });
        await checkRefused("a bucket with an invalid name", create, 400, 10005);
      },
    },
    "lifecycle-replace": {
      operations: [`PUT ${item}/lifecycle`, `GET ${item}/lifecycle`],
      reliesOn: "A write replaces all lifecycle rules of a bucket, and the first read shows them.",
      source: `${SOURCE}subresources/lifecycle/`,
      async run(client, scope) {
        const { account_id } = scope;
        const name = await create(client, scope);
        const { lifecycle } = client.sdk.r2.buckets;
        for (const id of ["first", "second"]) {
          const condition = { type: "Age" as const, maxAge: 2_592_000 };
          const rule = {
            id,
            enabled: true,
            conditions: { prefix: "backups/" },
            deleteObjectsTransition: { condition },
          };
          await lifecycle.update(name, { account_id, rules: [rule] });
          const shape = z.looseObject({
            rules: z.tuple([
              z.looseObject({
                id: z.literal(id),
                enabled: z.literal(true),
                conditions: z.looseObject({ prefix: z.literal("backups/") }),
                deleteObjectsTransition: z.looseObject({ condition: z.looseObject({ maxAge: z.literal(2_592_000) }) }),
              }),
            ]),
          });
          checkShape("The lifecycle", await lifecycle.get(name, { account_id }), shape);
        }
      },
    },
  }),
  ...casesOf(binding, {
    "binding-objects": {
      operations: [`POST ${path}`, `DELETE ${item}`],
      reliesOn:
        "The first list after a write or delete of a Worker shows it, and a bucket with objects is not deleted.",
      source: "https://developers.cloudflare.com/r2/reference/consistency/",
      async run(client, scope) {
        const { account_id } = scope;
        const name = await create(client, scope);
        const bindings = [{ type: "r2_bucket", name: "BUCKET", bucket_name: name }];
        const { host } = await serveScript(client, scope, { bindings }, CODE);
        await awaitText(scope, "a new host", host, JSON.stringify({ found: [], truncated: false }));
        try {
          const found = [{ key: "backups/a", size: 5, customMetadata: { digest: "d" } }];
          const { body } = await scope.visit(host, "/write");
          checkEqual("The objects after a write", JSON.parse(body), { found, truncated: false });
          await checkRefused(
            "a delete of a bucket with objects",
            client.sdk.r2.buckets.delete(name, { account_id }),
            409,
            10008,
          );
        } finally {
          // The clean-up deletes empty buckets only.
          await scope.visit(host, "/delete");
        }
        const { body } = await scope.visit(host);
        checkEqual("The objects after a delete", JSON.parse(body), { found: [], truncated: false });
      },
    },
    "bucket-creation-date": {
      operations: [`PATCH ${item}`, `GET ${item}`],
      reliesOn: "An update keeps `creation_date`, by which the doctor recognizes a bucket.",
      source: NOT_DOCUMENTED,
      async run({ sdk }, { account_id, own }) {
        const name = own("bucket");
        const { creation_date } = await sdk.r2.buckets.create({ account_id, name });
        await sdk.r2.buckets.edit(name, { account_id, storage_class: "InfrequentAccess" });
        const found = await sdk.r2.buckets.get(name, { account_id });
        checkEqual("The creation date", found.creation_date, creation_date);
      },
    },
  }),
];
