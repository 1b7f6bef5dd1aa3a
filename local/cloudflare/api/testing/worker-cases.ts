/** Kinds of Workers: scripts of the account and of dispatch namespaces, and what belongs to them. */
import type Cloudflare from "cloudflare";
import { account_id, domain, moduleFile, uploadScript } from "./api-server.ts";
import { type Case, follow, given, noUuid, withNamespace, withScript } from "./case.ts";

const tenants = { account_id, dispatch_namespace: "tenants" };

async function uploadTenant(cloudflare: Cloudflare, name: string, classes: string[] = []): Promise<void> {
  await cloudflare.workersForPlatforms.dispatch.namespaces.scripts.update(name, {
    ...tenants,
    metadata: {
      main_module: "index.js",
      ...(classes.length === 0 ? {} : { migrations: { new_tag: "v1", steps: [{ new_sqlite_classes: classes }] } }),
      ...{ containers: classes.map((class_name) => ({ class_name })) },
    },
    files: [await moduleFile("export default {};")],
  });
}

export const workerCases: Case[] = [
  {
    kind: "workers-scripts",
    create: async (cloudflare, n) => {
      await uploadScript(cloudflare, `app-${n}`);
      return `app-${n}`;
    },
    read: (cloudflare, id) => cloudflare.workers.scripts.scriptAndVersionSettings.get(id, { account_id }),
    expected: () => ({ compatibility_date: "2026-01-01", bindings: [] }),
    list: (cloudflare) => follow(cloudflare.workers.scripts.list({ account_id }), (one) => one.id),
    pages: 1,
    update: (cloudflare, id) =>
      cloudflare.workers.scripts.scriptAndVersionSettings.edit(id, { account_id, settings: { logpush: true } }),
    updated: { compatibility_date: "2026-01-01", logpush: true },
    remove: (cloudflare, id) => cloudflare.workers.scripts.delete(id, { account_id }),
    missing: { id: "nobody", status: 404, code: 10007 },
  },
  {
    kind: "worker-services",
    prepare: withScript,
    given: ["app"],
    read: (cloudflare, id) => cloudflare.get(`/accounts/${account_id}/workers/services/${id}`),
    expected: () => ({ result: { id: "app", default_environment: { script: { last_deployed_from: "api" } } } }),
    update: (cloudflare, id) =>
      cloudflare.put(`/accounts/${account_id}/workers/scripts/${id}/routes`, { body: [{ pattern: `a.${domain}/*` }] }),
    missing: { id: "nobody", status: 404, code: 10090 },
  },
  {
    kind: "script-secrets",
    prepare: withScript,
    create: async (cloudflare, n) => {
      const secret = { account_id, name: `SECRET_${n}`, text: "hidden", type: "secret_text" as const };
      return given((await cloudflare.workers.scripts.secrets.update("app", secret)).name);
    },
    read: (cloudflare, id) => cloudflare.workers.scripts.secrets.get(id, { account_id, script_name: "app" }),
    expected: (n) => ({ name: `SECRET_${n}`, type: "secret_text" }),
    list: (cloudflare) => follow(cloudflare.workers.scripts.secrets.list("app", { account_id }), (one) => one.name),
    pages: 1,
    remove: (cloudflare, id) => cloudflare.workers.scripts.secrets.delete(id, { account_id, script_name: "app" }),
    missing: { id: "NONE", status: 404, code: 10056 },
  },
  {
    kind: "cron-triggers",
    prepare: withScript,
    given: ["app"],
    update: (cloudflare, id) =>
      cloudflare.workers.scripts.schedules.update(id, { account_id, body: [{ cron: "* * * * *" }] }),
    updated: { schedules: [{ cron: "* * * * *" }] },
    read: (cloudflare, id) => cloudflare.workers.scripts.schedules.get(id, { account_id }),
    expected: () => ({ schedules: [] }),
    missing: { id: "nobody", status: 404, code: 10007 },
  },
  {
    kind: "dispatch-namespaces",
    create: async (cloudflare, n) =>
      given(
        (await cloudflare.workersForPlatforms.dispatch.namespaces.create({ account_id, name: `space-${n}` }))
          .namespace_name,
      ),
    read: (cloudflare, id) => cloudflare.workersForPlatforms.dispatch.namespaces.get(id, { account_id }),
    expected: (n) => ({ namespace_name: `space-${n}`, script_count: 0 }),
    list: (cloudflare) =>
      follow(cloudflare.workersForPlatforms.dispatch.namespaces.list({ account_id }), (one) => one.namespace_name),
    pages: 1,
    remove: (cloudflare, id) => cloudflare.workersForPlatforms.dispatch.namespaces.delete(id, { account_id }),
    missing: { id: "nowhere", status: 404, code: 100119 },
  },
  {
    kind: "namespaced-scripts",
    prepare: withNamespace,
    create: async (cloudflare, n) => {
      await uploadTenant(cloudflare, `tenant-${n}`);
      return `tenant-${n}`;
    },
    read: async (cloudflare, id) => ({
      ...(await cloudflare.workersForPlatforms.dispatch.namespaces.scripts.get(id, tenants)),
      tags: (await cloudflare.workersForPlatforms.dispatch.namespaces.scripts.tags.list(id, tenants)).result,
    }),
    expected: (n) => ({ dispatch_namespace: "tenants", script: { id: `tenant-${n}` }, tags: [] }),
    list: async (cloudflare) => {
      const answer: unknown = await cloudflare.get(
        `/accounts/${account_id}/workers/dispatch/namespaces/tenants/scripts`,
      );
      const { result } = answer as { result: { script: { id: string } }[] };
      return { ids: result.map((one) => one.script.id), pages: 1 };
    },
    pages: 1,
    update: (cloudflare, id) =>
      cloudflare.workersForPlatforms.dispatch.namespaces.scripts.tags.update(id, { ...tenants, body: ["plan:pro"] }),
    updated: { tags: ["plan:pro"] },
    remove: (cloudflare, id) => cloudflare.workersForPlatforms.dispatch.namespaces.scripts.delete(id, tenants),
    missing: { id: "nobody", status: 404, code: 10092 },
  },
  {
    kind: "namespaced-script-secrets",
    prepare: async (server) => {
      await withNamespace(server);
      await uploadTenant(server.cloudflare, "tenant");
    },
    create: async (cloudflare, n) => {
      const secret = { ...tenants, name: `SECRET_${n}`, text: "hidden", type: "secret_text" as const };
      return given(
        (await cloudflare.workersForPlatforms.dispatch.namespaces.scripts.secrets.update("tenant", secret)).name,
      );
    },
    read: (cloudflare, id) =>
      cloudflare.workersForPlatforms.dispatch.namespaces.scripts.secrets.get(id, { ...tenants, script_name: "tenant" }),
    expected: (n) => ({ name: `SECRET_${n}`, type: "secret_text" }),
    list: (cloudflare) =>
      follow(
        cloudflare.workersForPlatforms.dispatch.namespaces.scripts.secrets.list("tenant", tenants),
        (one) => one.name,
      ),
    pages: 1,
    remove: (cloudflare, id) =>
      cloudflare.workersForPlatforms.dispatch.namespaces.scripts.secrets.delete(id, {
        ...tenants,
        script_name: "tenant",
      }),
    missing: { id: "NONE", status: 404, code: 10056 },
  },
  {
    kind: "durable-objects",
    prepare: async (server) => {
      await withNamespace(server);
      await uploadTenant(server.cloudflare, "tenant", ["Sandbox", "Supervisor", "Other"]);
    },
    given: ["tenants_tenant_Sandbox", "tenants_tenant_Supervisor", "tenants_tenant_Other"],
    list: (cloudflare) =>
      follow(cloudflare.durableObjects.namespaces.list({ account_id, per_page: 2 }), (one) => one.name),
    call: (cloudflare) => cloudflare.durableObjects.namespaces.list({ account_id }),
  },
  {
    kind: "containers",
    prepare: async (server) => {
      await withNamespace(server);
      await uploadTenant(server.cloudflare, "tenant", ["Box0", "Box1", "Box2"]);
    },
    create: async (cloudflare, n) => {
      const namespaces = await cloudflare.durableObjects.namespaces.list({ account_id });
      const namespace = namespaces.result.find((one) => one.class === `Box${n}`);
      const application = await cloudflare.containers.applications.create({
        account_id,
        name: `box-${n}`,
        scheduling_policy: "default",
        instances: 0,
        max_instances: 2,
        configuration: { image: "registry.example.com/gateway:1", instance_type: "lite" },
        durable_objects: { namespace_id: given(namespace?.id) },
      });
      return application.id;
    },
    read: (cloudflare, id) => cloudflare.containers.applications.get(id, { account_id }),
    expected: (n) => ({ name: `box-${n}`, configuration: { image: "registry.example.com/gateway:1" }, version: 1 }),
    list: (cloudflare) => follow(cloudflare.containers.applications.list({ account_id, per_page: 2 }), (one) => one.id),
    update: (cloudflare, id) => cloudflare.containers.applications.edit(id, { account_id, max_instances: 5 }),
    updated: { max_instances: 5, configuration: { instance_type: "lite" } },
    remove: (cloudflare, id) => cloudflare.containers.applications.delete(id, { account_id }),
    missing: { id: noUuid, status: 404, code: 1607 },
  },
];
