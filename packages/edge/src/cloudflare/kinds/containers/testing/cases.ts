import type Cloudflare from "cloudflare";
import * as z from "zod";
import { type ApiServer, account_id } from "#cloudflare/api/testing/api-server.ts";
import { type Case, follow, given, noUuid, withNamespace } from "#cloudflare/api/testing/case.ts";
import { uploadTenant } from "#cloudflare/api/testing/tenant.ts";
import { containersApi } from "../api.ts";
import { containerRegistriesApi } from "../registries.ts";
import { rolloutsApi } from "../rollouts/api.ts";

async function prepare(server: ApiServer): Promise<void> {
  await withNamespace(server);
  await uploadTenant(server.cloudflare, "tenant", ["Box0", "Box1", "Box2"]);
}

async function create(cloudflare: Cloudflare, n: number): Promise<string> {
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
}

const rolloutPath = (id: string) => `/accounts/${account_id}/containers/applications/${id}`;

export const cases: Case[] = [
  {
    part: containersApi,
    prepare,
    create,
    read: (cloudflare, id) => cloudflare.containers.applications.get(id, { account_id }),
    expected: (n) => ({ name: `box-${n}`, configuration: { image: "registry.example.com/gateway:1" }, version: 1 }),
    list: (cloudflare) => follow(cloudflare.containers.applications.list({ account_id, per_page: 2 }), (one) => one.id),
    update: (cloudflare, id) => cloudflare.containers.applications.edit(id, { account_id, max_instances: 5 }),
    updated: { max_instances: 5, configuration: { instance_type: "lite" } },
    remove: (cloudflare, id) => cloudflare.containers.applications.delete(id, { account_id }),
    missing: { id: noUuid, status: 404, code: 1607 },
  },
  {
    part: rolloutsApi,
    prepare,
    /** @returns ids of an application and its rollout, as in a path */
    create: async (cloudflare, n) => {
      const application = await create(cloudflare, n);
      const rollout = await cloudflare.containers.applications.rollouts.create(application, {
        ...{ account_id, description: `rollout ${n}`, strategy: "rolling", kind: "full_manual", step_percentage: 50 },
        target_configuration: { image: "registry.example.com/gateway:2" },
      });
      return `${application}/rollouts/${rollout.id}`;
    },
    read: (cloudflare, id) => cloudflare.get(rolloutPath(id)),
    expected: (n) => ({ result: { description: `rollout ${n}`, status: "pending" } }),
    list: async (cloudflare) => {
      const applications = await follow(cloudflare.containers.applications.list({ account_id }), (one) => one.id);
      const found = applications.ids.map(async (id) => {
        const { result } = z
          .looseObject({ result: z.array(z.looseObject({ id: z.string() })) })
          .parse(await cloudflare.get(rolloutPath(`${id}/rollouts`)));
        return result.map((rollout) => `${id}/rollouts/${rollout.id}`);
      });
      return { ids: (await Promise.all(found)).flat(), pages: 1 };
    },
    pages: 1,
    update: (cloudflare, id) => cloudflare.post(rolloutPath(id), { body: { action: "revert" } }),
    updated: { result: { status: "reverted" } },
    remove: async (cloudflare, id) => {
      await cloudflare.post(rolloutPath(id), { body: { action: "revert" } });
      await cloudflare.delete(rolloutPath(id));
    },
    missing: { id: `${noUuid}/rollouts/${noUuid}`, status: 404, code: 1607 },
  },
  {
    part: containerRegistriesApi,
    list: (cloudflare) => follow(cloudflare.containers.registries.list({ account_id }), (one) => one.domain),
    pages: 0,
    read: (cloudflare) =>
      cloudflare.containers.registries.credentials.generate("registry.cloudflare.com", {
        ...{ account_id, permissions: ["pull"], expiration_minutes: 5 },
      }),
  },
];
