/** Dispatch namespaces, and the script of each tenant. */
import * as z from "zod";
import { type Case, casesOf, NOT_DOCUMENTED, type Product } from "../case.ts";
import { all, checkEqual, checkRefused, checkShape, checkThat } from "../checks.ts";
import { lifecycleCases } from "../lifecycle.ts";
import type { Client } from "../run/client.ts";
import type { Scope } from "../run/scope.ts";
import {
  createNamespace,
  createTenant,
  HELLO,
  patchTenant,
  putTenant,
  SANDBOX,
  type TenantScript,
} from "../uploads.ts";

const namespaces: Product = {
  name: "workers-for-platforms",
  permission: "Workers Scripts (Edit)",
  creates: ["dispatch_namespace", "namespaced_script"],
  requires: "Workers for Platforms",
  standIn: "cloudflare/kinds/dispatch-namespaces/api.ts",
};
const scripts: Product = { ...namespaces, standIn: "cloudflare/kinds/namespaced-scripts/api.ts" };

const path = "/accounts/:account_id/workers/dispatch/namespaces" as const;
const item = `${path}/:dispatch_namespace` as const;
const script = `${item}/scripts/:script_name` as const;

const NAMESPACES = "https://developers.cloudflare.com/api/resources/workers_for_platforms/subresources/dispatch/";
const SCRIPTS = `${NAMESPACES}subresources/namespaces/subresources/scripts/`;
const TAGS = "https://developers.cloudflare.com/cloudflare-for-platforms/workers-for-platforms/configuration/tags/";

const of = ({ account_id }: Scope, { dispatch_namespace }: TenantScript) => ({ account_id, dispatch_namespace });

const readSettings = ({ sdk }: Client, scope: Scope, tenant: TenantScript) =>
  sdk.workersForPlatforms.dispatch.namespaces.scripts.settings.get(tenant.name, of(scope, tenant));

const readScript = ({ sdk }: Client, scope: Scope, tenant: TenantScript) =>
  sdk.workersForPlatforms.dispatch.namespaces.scripts.get(tenant.name, of(scope, tenant));

const listed = z.looseObject({
  result: z.array(
    z.looseObject({ created_on: z.iso.datetime({ offset: true }), script: z.looseObject({ id: z.string() }) }),
  ),
});

/** The SDK has no method for this list. */
async function listScripts({ sdk }: Client, { account_id }: Scope, namespace: string) {
  const answer = await sdk.get(`/accounts/${account_id}/workers/dispatch/namespaces/${namespace}/scripts`);
  return checkShape("The list of scripts", answer, listed).result;
}

const tenantOf = (id: string): TenantScript => {
  const [dispatch_namespace = "", name = ""] = id.split("/");
  return { dispatch_namespace, name };
};

export const platformCases: Case[] = [
  ...lifecycleCases(namespaces, {
    name: "namespace",
    title: "a dispatch namespace",
    source: NAMESPACES,
    operations: { create: `POST ${path}`, read: `GET ${item}`, list: `GET ${path}`, remove: `DELETE ${item}` },
    create: createNamespace,
    read: ({ sdk }, { account_id }, name) => sdk.workersForPlatforms.dispatch.namespaces.get(name, { account_id }),
    shape: z.looseObject({ namespace_name: z.string(), namespace_id: z.string() }),
    again: {
      async create(client, scope) {
        const name = await createNamespace(client, scope);
        const { account_id } = scope;
        return { call: client.sdk.workersForPlatforms.dispatch.namespaces.create({ account_id, name }) };
      },
      outcome: { status: 409 },
      source: NOT_DOCUMENTED,
    },
    list: async ({ sdk }, { account_id }) =>
      (await all(sdk.workersForPlatforms.dispatch.namespaces.list({ account_id }))).map((one) => one.namespace_name),
    remove: ({ sdk }, { account_id }, name) => sdk.workersForPlatforms.dispatch.namespaces.delete(name, { account_id }),
  }),
  ...casesOf(namespaces, {
    "namespace-with-scripts": {
      operations: [`DELETE ${item}`],
      reliesOn: "A namespace that has scripts is not deleted, so a teardown deletes the scripts first.",
      source: NOT_DOCUMENTED,
      async run(client, scope) {
        const tenant = await createTenant(client, scope);
        const { namespaces } = client.sdk.workersForPlatforms.dispatch;
        const remove = namespaces.delete(tenant.dispatch_namespace, { account_id: scope.account_id });
        await checkRefused("a delete of a namespace with a script", remove, 409);
      },
    },
  }),
  ...lifecycleCases(scripts, {
    name: "script",
    title: "a script of a namespace",
    source: SCRIPTS,
    operations: {
      create: `PUT ${script}`,
      read: `GET ${script}`,
      list: `GET ${item}/scripts`,
      remove: `DELETE ${script}`,
    },
    async create(client, scope) {
      const { dispatch_namespace, name } = await createTenant(client, scope);
      return `${dispatch_namespace}/${name}`;
    },
    read: (client, scope, id) => readScript(client, scope, tenantOf(id)),
    shape: z.looseObject({
      created_on: z.iso.datetime({ offset: true }),
      script: z.looseObject({ id: z.string(), etag: z.string().min(1) }),
    }),
    again: {
      async create(client, scope) {
        const tenant = await createTenant(client, scope);
        return { call: putTenant(client, scope, tenant) };
      },
      outcome: "accepted",
      reliesOn: "A second upload of a script of a namespace replaces it.",
    },
    async list(client, scope, id) {
      const { dispatch_namespace } = tenantOf(id);
      const found = await listScripts(client, scope, dispatch_namespace);
      return found.map((one) => `${dispatch_namespace}/${one.script.id}`);
    },
    remove: ({ sdk }, scope, id) =>
      sdk.workersForPlatforms.dispatch.namespaces.scripts.delete(tenantOf(id).name, {
        ...of(scope, tenantOf(id)),
        force: true,
      }),
  }),
  ...casesOf(scripts, {
    "script-settings": {
      operations: [`GET ${script}/settings`],
      reliesOn: "The settings have bindings, limits, tags, date and flags of an upload, and no values of secrets.",
      source: `${SCRIPTS}subresources/settings/`,
      async run(client, scope) {
        const tenant = await createTenant(client, scope, {
          bindings: [{ type: "secret_text", name: "TOKEN", text: "hidden" }],
          limits: { cpu_ms: 50, subrequests: 10 },
          tags: ["plan:pro", "stack:prod"],
        });
        const settings = z.looseObject({
          bindings: z.tuple([z.strictObject({ type: z.literal("secret_text"), name: z.literal("TOKEN") })]),
          compatibility_date: z.string(),
          compatibility_flags: z.array(z.string()).nullish(),
          limits: z.looseObject({ cpu_ms: z.literal(50), subrequests: z.literal(10) }),
          tags: z.array(z.string()),
        });
        const { tags } = checkShape("The settings", await readSettings(client, scope, tenant), settings);
        checkEqual("The tags", tags.toSorted(), ["plan:pro", "stack:prod"]);
      },
    },
    "script-settings-missing": {
      operations: [`GET ${script}/settings`],
      reliesOn: "The settings of a missing script of a namespace are refused with 404.",
      source: NOT_DOCUMENTED,
      async run(client, scope) {
        const dispatch_namespace = await createNamespace(client, scope);
        const read = readSettings(client, scope, { dispatch_namespace, name: scope.name() });
        await checkRefused("a read of settings of a missing script", read, 404);
      },
    },
    "script-settings-change": {
      operations: [`PATCH ${script}/settings`, `GET ${script}/settings`],
      reliesOn: "A change of settings replaces the fields that it names, all bindings at once, and keeps the others.",
      source: `${SCRIPTS}subresources/settings/methods/edit/`,
      async run(client, scope) {
        const plain = (name: string) => ({ type: "plain_text", name, text: "x" });
        const metadata = { bindings: [plain("A"), plain("B")], tags: ["plan:pro"], limits: { cpu_ms: 50 } };
        const tenant = await createTenant(client, scope, metadata);
        await patchTenant(client, scope, tenant, { bindings: [plain("C")] });
        const found = await readSettings(client, scope, tenant);
        checkEqual(
          "The names of the bindings",
          found.bindings?.map(({ name }) => name),
          ["C"],
        );
        checkEqual("The tags", found.tags, ["plan:pro"]);
        checkEqual("The CPU limit", found.limits?.cpu_ms, 50);
      },
    },
    "script-settings-etag": {
      operations: [`PATCH ${script}/settings`, `GET ${script}`],
      reliesOn: "A change of settings keeps the etag of the content.",
      source: NOT_DOCUMENTED,
      async run(client, scope) {
        const tenant = await createTenant(client, scope);
        const before = await readScript(client, scope, tenant);
        await patchTenant(client, scope, tenant, { bindings: [{ type: "plain_text", name: "A", text: "x" }] });
        checkEqual("The etag", (await readScript(client, scope, tenant)).script?.etag, before.script?.etag);
      },
    },
    "script-created-on": {
      operations: [`PUT ${script}`, `GET ${item}/scripts`],
      reliesOn: "An upload keeps `created_on`, by which the doctor recognizes a script.",
      source: NOT_DOCUMENTED,
      async run(client, scope) {
        const tenant = await createTenant(client, scope);
        const created = async () => (await listScripts(client, scope, tenant.dispatch_namespace))[0]?.created_on;
        const first = await scope.eventually("a script in the list", created, (time) => time !== undefined);
        await putTenant(client, scope, tenant, {}, `${HELLO}\n// changed`);
        checkEqual("The creation time after an upload", await created(), first);
      },
    },
    "script-list-whole": {
      operations: [`GET ${item}/scripts`],
      reliesOn: "The list of a namespace's scripts has no pages: one request returns all.",
      source: NOT_DOCUMENTED,
      async run(client, scope) {
        const { dispatch_namespace } = await createTenant(client, scope);
        for (let n = 0; n < 30; n += 1) {
          const name = scope.name();
          scope.own("namespaced_script", `${dispatch_namespace}/${name}`);
          await putTenant(client, scope, { dispatch_namespace, name });
        }
        await scope.eventually(
          "31 scripts in one list",
          () => listScripts(client, scope, dispatch_namespace),
          (found) => found.length === 31,
        );
      },
    },
    "script-content": {
      operations: [`GET ${script}/content`],
      reliesOn: "The content is a form with the modules, and the header `cf-entrypoint` names the main module.",
      source: `${SCRIPTS}subresources/content/`,
      async run(client, scope) {
        const tenant = await createTenant(client, scope);
        const { scripts } = client.sdk.workersForPlatforms.dispatch.namespaces;
        const answer = await scripts.content.get(tenant.name, of(scope, tenant));
        checkEqual("The header cf-entrypoint", answer.headers.get("cf-entrypoint"), "index.js");
        const module = (await answer.formData()).get("index.js");
        checkEqual("The module", typeof module === "string" ? module : await module?.text(), HELLO);
      },
    },
    "script-migration": {
      operations: [`PUT ${script}`, `GET ${script}`, `GET ${script}/settings`],
      reliesOn: "A migration's tag is in the script, and the binding has the id of its class's namespace at once.",
      source: "https://developers.cloudflare.com/durable-objects/reference/durable-objects-migrations/",
      async run(client, scope) {
        const { code, migrations, binding } = SANDBOX;
        const tenant = await createTenant(client, scope, { migrations, bindings: [binding] }, code);
        checkEqual("The migration tag", (await readScript(client, scope, tenant)).script?.migration_tag, "v1");
        const { bindings = [] } = await readSettings(client, scope, tenant);
        const bound = z.array(z.looseObject({ class_name: z.literal("Sandbox"), namespace_id: z.string().min(1) }));
        checkShape("The bindings", bindings, bound);
        await putTenant(client, scope, tenant, { bindings: [binding] }, code);
        checkEqual(
          "The tag after an upload without one",
          (await readScript(client, scope, tenant)).script?.migration_tag,
          "v1",
        );
      },
    },
    "script-tags-limit": {
      operations: [`PUT ${script}`],
      reliesOn: "A script has up to eight tags; the project sends fewer.",
      source: TAGS,
      async run(client, scope) {
        const tags = Array.from({ length: 8 }, (_, n) => `tag:${n}`);
        const tenant = await createTenant(client, scope, { tags });
        const found = await readSettings(client, scope, tenant);
        checkEqual("The number of tags", found.tags?.length, 8);
      },
    },
    "script-long-name": {
      operations: [`PUT ${script}`],
      reliesOn: "A script of a namespace may have a name of 70 characters.",
      source: NOT_DOCUMENTED,
      async run(client, scope) {
        const dispatch_namespace = await createNamespace(client, scope);
        const name = scope.name().padEnd(70, "x");
        scope.own("namespaced_script", `${dispatch_namespace}/${name}`);
        await putTenant(client, scope, { dispatch_namespace, name });
        const found = await readScript(client, scope, { dispatch_namespace, name });
        checkThat("the script has its whole name", found.script?.id === name);
      },
    },
  }),
];
