/** Container applications of tenants' Workers: by name, unless another script has the Durable Objects that they run for. */
import { undefinedIfNotFound } from "@tenantry/cloudflare-client/not-found";
import * as z from "zod";
import { tenantScriptName } from "#domain/names/physical-name.ts";
import type { AccountArgs, AccountKind, AccountResource } from "../account-resource.ts";

const application = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.string().nullish(),
  durable_objects: z.object({ namespace_id: z.string() }).nullish(),
});
const bound = z.object({ namespace_id: z.string().optional() });

type Namespaces = () => Promise<ReadonlySet<string>>;

async function parseContainerApplication(
  args: AccountArgs,
  record: unknown,
  namespaces: Namespaces,
): Promise<AccountResource[]> {
  const { id, name, created_at: createdAt = null, durable_objects: durableObjects } = application.parse(record);
  const tenant = args.tenants.of("containerApplication", name);
  if (tenant === undefined || !(await isTenants(args, tenant, durableObjects?.namespace_id, namespaces))) return [];
  return [{ kind: "container_application", id, identity: id, name, tenant, createdAt }];
}

/** Whether it runs for the tenant's Worker or for a namespace that was deleted: any application may be called `tenant-x`. */
async function isTenants(
  { client, platform }: AccountArgs,
  tenant: string,
  namespaceId: string | undefined,
  namespaces: Namespaces,
): Promise<boolean> {
  if (namespaceId === undefined) return false;
  if (!(await namespaces()).has(namespaceId)) return true;
  const scripts = client.workersForPlatforms.dispatch.namespaces.scripts;
  const address = { account_id: platform.accountId, dispatch_namespace: platform.dispatchNamespace };
  const name = tenantScriptName(tenant, platform.environment);
  const settings = await undefinedIfNotFound(scripts.settings.get(name, address));
  return (settings?.bindings ?? []).some((binding) => bound.safeParse(binding).data?.namespace_id === namespaceId);
}

/** Lists the ids of the account's Durable Object namespaces at the first call. */
function lazyNamespaces({ client, platform }: AccountArgs): Namespaces {
  let all: Promise<ReadonlySet<string>> | undefined;
  const list = async () => {
    const ids = new Set<string>();
    for await (const { id } of client.durableObjects.namespaces.list({ account_id: platform.accountId }))
      if (id !== undefined) ids.add(id);
    return ids;
  };
  return () => {
    all ??= list();
    return all;
  };
}

export const containerApplications: AccountKind = {
  title: "container application",
  right: "Containers and Workers Scripts (Read)",
  async list(args) {
    const { client, platform } = args;
    const namespaces = lazyNamespaces(args);
    const resources: AccountResource[] = [];
    for await (const record of client.containers.applications.list({ account_id: platform.accountId }))
      resources.push(...(await parseContainerApplication(args, record, namespaces)));
    return resources;
  },
  async find(args, id) {
    const { client, platform } = args;
    const record = await undefinedIfNotFound(
      client.containers.applications.get(id, { account_id: platform.accountId }),
    );
    return record === undefined ? undefined : (await parseContainerApplication(args, record, lazyNamespaces(args)))[0];
  },
  remove: ({ client, platform }, id) => client.containers.applications.delete(id, { account_id: platform.accountId }),
};
