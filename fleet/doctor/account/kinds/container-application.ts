/** Container applications of tenants' Workers: by their name, where no other script has what they run for. */
import * as z from "zod";
import { tenantScriptName } from "#domain/names/physical-name.ts";
import { gone } from "../gone.ts";
import type { AccountArgs, AccountKind, Thing } from "../thing.ts";

const application = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.string().nullish(),
  durable_objects: z.object({ namespace_id: z.string() }).nullish(),
});
type Application = z.infer<typeof application>;
const bound = z.object({ namespace_id: z.string().optional() });

async function thing(
  args: AccountArgs,
  found: unknown,
  namespaces: () => Promise<ReadonlySet<string>>,
): Promise<Thing[]> {
  const { id, name, created_at: createdAt = null, durable_objects } = application.parse(found);
  const tenant = args.tenants.of("containerApplication", name);
  if (tenant === undefined || !(await isTenants(args, tenant, durable_objects, namespaces))) return [];
  return [{ kind: "container_application", id, identity: id, name, tenant, createdAt }];
}

/** Whether it runs for the tenant's Worker, or for nothing any more: `tenant-x` may be anybody's application. */
async function isTenants(
  { client, platform }: AccountArgs,
  tenant: string,
  durableObjects: Application["durable_objects"],
  namespaces: () => Promise<ReadonlySet<string>>,
): Promise<boolean> {
  const id = durableObjects?.namespace_id;
  if (id === undefined) return false;
  if (!(await namespaces()).has(id)) return true;
  const scripts = client.workersForPlatforms.dispatch.namespaces.scripts;
  const address = { account_id: platform.accountId, dispatch_namespace: platform.dispatchNamespace };
  const name = tenantScriptName(tenant, platform.environment);
  const settings = await gone(scripts.settings.get(name, address));
  return (settings?.bindings ?? []).some((binding) => bound.safeParse(binding).data?.namespace_id === id);
}

/** Ids of the account's Durable Object namespaces, listed where they are asked for, once. */
function namespacesOf({ client, platform }: AccountArgs): () => Promise<ReadonlySet<string>> {
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
  kind: "container_application",
  title: "container application",
  right: "Containers and Workers Scripts (Read)",
  async list(args) {
    const { client, platform } = args;
    const namespaces = namespacesOf(args);
    const things: Thing[] = [];
    for await (const one of client.containers.applications.list({ account_id: platform.accountId }))
      things.push(...(await thing(args, one, namespaces)));
    return things;
  },
  async find(args, { id }) {
    const { client, platform } = args;
    const found = await gone(client.containers.applications.get(id, { account_id: platform.accountId }));
    return found === undefined ? undefined : (await thing(args, found, namespacesOf(args)))[0];
  },
  async remove({ client, platform }, { id }) {
    await client.containers.applications.delete(id, { account_id: platform.accountId });
  },
};
