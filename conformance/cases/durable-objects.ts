/** Durable Object namespaces, which uploads create. */
import * as z from "zod";
import { type Case, casesOf, NOT_DOCUMENTED, type Product } from "../case.ts";
import { all, checkEqual, checkShape } from "../checks.ts";
import type { Client } from "../run/client.ts";
import type { Scope } from "../run/scope.ts";
import { createTenant, SANDBOX, type TenantScript } from "../uploads.ts";

const product: Product = {
  name: "durable-objects",
  permission: "Workers Scripts (Edit)",
  creates: ["dispatch_namespace", "namespaced_script"],
  requires: "Workers for Platforms",
  standIn: "cloudflare/kinds/durable-objects/api.ts",
};
const path = "/accounts/:account_id/workers/durable_objects/namespaces" as const;
const SOURCE = "https://developers.cloudflare.com/api/resources/durable_objects/subresources/namespaces/";

const createSandbox = (client: Client, scope: Scope) =>
  createTenant(client, scope, { migrations: SANDBOX.migrations }, SANDBOX.code);

async function listed({ sdk }: Client, { account_id }: Scope, script: TenantScript) {
  const found = await all(sdk.durableObjects.namespaces.list({ account_id, per_page: 100 }));
  return found.filter((one) => one.script === script.name);
}

export const durableObjectCases: Case[] = casesOf(product, {
  "namespace-list": {
    operations: [`GET ${path}`],
    reliesOn: "The list has id, class and script of each class of a namespaced script after its upload.",
    source: SOURCE,
    async run(client, scope) {
      const tenant = await createSandbox(client, scope);
      const read = () => listed(client, scope, tenant);
      const [found] = await scope.eventually("a class in the list", read, (all) => all.length > 0);
      const shape = z.looseObject({ id: z.string().min(1), class: z.literal("Sandbox"), script: z.string() });
      checkShape("The namespace", found, shape);
    },
  },
  "namespace-dispatch-namespace": {
    operations: [`GET ${path}`],
    reliesOn: "The list names the dispatch namespace of a script, if it has the field `dispatch_namespace`.",
    source: NOT_DOCUMENTED,
    async run(client, scope) {
      const tenant = await createSandbox(client, scope);
      const read = () => listed(client, scope, tenant);
      const [found] = await scope.eventually("a class in the list", read, (all) => all.length > 0);
      const shape = z.looseObject({ dispatch_namespace: z.string().optional() });
      const { dispatch_namespace = tenant.dispatch_namespace } = checkShape("The namespace", found, shape);
      checkEqual("The dispatch namespace", dispatch_namespace, tenant.dispatch_namespace);
    },
  },
  "namespace-pages": {
    operations: [`GET ${path}`],
    reliesOn: "The list accepts per_page=100 and returns each namespace once over all pages.",
    source: SOURCE,
    async run(client, scope) {
      await scope.eventually(
        "a class in the list",
        () => createSandbox(client, scope).then((tenant) => listed(client, scope, tenant)),
        (found) => found.length === 1,
      );
      const { account_id } = scope;
      const ids = (await all(client.sdk.durableObjects.namespaces.list({ account_id, per_page: 100 }))).map(
        ({ id }) => id,
      );
      checkEqual("The number of different ids", new Set(ids).size, ids.length);
    },
  },
  "namespace-of-deleted-script": {
    operations: [`GET ${path}`],
    reliesOn: "The delete of a script removes its namespaces from the list.",
    source: "https://developers.cloudflare.com/durable-objects/reference/durable-objects-migrations/",
    async run(client, scope) {
      const tenant = await createSandbox(client, scope);
      const read = () => listed(client, scope, tenant);
      await scope.eventually("a class in the list", read, (found) => found.length === 1);
      const { dispatch_namespace, name } = tenant;
      const { scripts } = client.sdk.workersForPlatforms.dispatch.namespaces;
      await scripts.delete(name, { account_id: scope.account_id, dispatch_namespace, force: true });
      await scope.eventually("the delete of a class in the list", read, (found) => found.length === 0);
    },
  },
});
