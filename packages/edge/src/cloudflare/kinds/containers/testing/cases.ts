import { account_id } from "#cloudflare/api/testing/api-server.ts";
import { type Case, follow, given, noUuid, withNamespace } from "#cloudflare/api/testing/case.ts";
import { uploadTenant } from "#cloudflare/api/testing/tenant.ts";
import { containersApi } from "../api.ts";
import { containerRegistriesApi } from "../registries.ts";

export const cases: Case[] = [
  {
    part: containersApi,
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
  {
    part: containerRegistriesApi,
    list: (cloudflare) => follow(cloudflare.containers.registries.list({ account_id }), (one) => one.domain),
    pages: 0,
    call: async (cloudflare) => {
      await cloudflare.containers.registries.list({ account_id });
      await cloudflare.containers.registries.credentials.generate("registry.cloudflare.com", {
        ...{ account_id, permissions: ["pull"], expiration_minutes: 5 },
      });
    },
  },
];
