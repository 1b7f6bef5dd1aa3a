/** What cases create: how each is deleted by its name alone, because a killed run knows no ids. */
import Cloudflare from "cloudflare";
import type { Client } from "./client.ts";

export const resourceKinds = [
  "account_token",
  "access_application",
  "access_group",
  "access_policy",
  "access_service_token",
  "ai_gateway",
  "bucket",
  "container_application",
  "dispatch_namespace",
  "dns_record",
  "healthcheck",
  "hyperdrive",
  "kv_namespace",
  "namespaced_script",
  "queue",
  "route",
  "script",
] as const;
export type ResourceKind = (typeof resourceKinds)[number];

export interface Place {
  accountId: string;
  /** Undefined if the run has no zone. */
  zone?: { id: string; name: string; nameServers?: string[] } | undefined;
}

/** Deletes what has exactly this name, if it exists. */
type Remove = (sdk: Cloudflare, place: Place, name: string) => Promise<void>;

/** @param list of all resources of the kind @param remove the one with this id */
function byName<T>(
  list: (sdk: Cloudflare, place: Required<Place>) => AsyncIterable<T>,
  identify: (item: T) => { name?: string | undefined | null; id?: string | undefined | null },
  remove: (sdk: Cloudflare, place: Required<Place>, id: string) => PromiseLike<unknown>,
): Remove {
  return async (sdk, place, name) => {
    const { zone } = place;
    const found: string[] = [];
    const inPlace = { ...place, zone: zone ?? { id: "", name: "" } };
    for await (const item of list(sdk, inPlace)) {
      const { name: listed, id } = identify(item);
      if (listed === name && typeof id === "string") found.push(id);
    }
    for (const id of found) await remove(sdk, inPlace, id);
  };
}

const account = ({ accountId }: Place) => ({ account_id: accountId });
const zoneOf = ({ zone }: Required<Place>) => ({ zone_id: zone?.id ?? "" });

const named = (item: { id?: string | null | undefined; name?: string | null | undefined }) => item;

const REMOVALS: Readonly<Record<ResourceKind, Remove>> = {
  account_token: byName(
    (sdk, place) => sdk.accounts.tokens.list(account(place)),
    named,
    (sdk, place, id) => sdk.accounts.tokens.delete(id, account(place)),
  ),
  access_application: byName(
    (sdk, place) => sdk.zeroTrust.access.applications.list(account(place)),
    (one) => ({ id: one.id, name: "name" in one ? one.name : undefined }),
    (sdk, place, id) => sdk.zeroTrust.access.applications.delete(id, account(place)),
  ),
  access_group: byName(
    (sdk, place) => sdk.zeroTrust.access.groups.list(account(place)),
    named,
    (sdk, place, id) => sdk.zeroTrust.access.groups.delete(id, account(place)),
  ),
  access_policy: byName(
    (sdk, place) => sdk.zeroTrust.access.policies.list(account(place)),
    named,
    (sdk, place, id) => sdk.zeroTrust.access.policies.delete(id, account(place)),
  ),
  access_service_token: byName(
    (sdk, place) => sdk.zeroTrust.access.serviceTokens.list(account(place)),
    named,
    (sdk, place, id) => sdk.zeroTrust.access.serviceTokens.delete(id, account(place)),
  ),
  ai_gateway: async (sdk, place, name) => void (await sdk.aiGateway.delete(name, account(place))),
  bucket: async (sdk, place, name) => void (await sdk.r2.buckets.delete(name, account(place))),
  container_application: byName(
    (sdk, place) => sdk.containers.applications.list(account(place)),
    named,
    (sdk, place, id) => sdk.containers.applications.delete(id, account(place)),
  ),
  dispatch_namespace: async (sdk, place, name) =>
    void (await sdk.workersForPlatforms.dispatch.namespaces.delete(name, account(place))),
  dns_record: byName(
    (sdk, place) => sdk.dns.records.list(zoneOf(place)),
    named,
    (sdk, place, id) => sdk.dns.records.delete(id, zoneOf(place)),
  ),
  healthcheck: byName(
    (sdk, place) => sdk.healthchecks.list(zoneOf(place)),
    named,
    (sdk, place, id) => sdk.healthchecks.delete(id, zoneOf(place)),
  ),
  hyperdrive: byName(
    (sdk, place) => sdk.hyperdrive.configs.list(account(place)),
    named,
    (sdk, place, id) => sdk.hyperdrive.configs.delete(id, account(place)),
  ),
  kv_namespace: byName(
    (sdk, place) => sdk.kv.namespaces.list(account(place)),
    ({ id, title }) => ({ id, name: title }),
    (sdk, place, id) => sdk.kv.namespaces.delete(id, account(place)),
  ),
  namespaced_script: async (sdk, place, name) => {
    const [dispatch_namespace = "", script = ""] = name.split("/");
    const { scripts } = sdk.workersForPlatforms.dispatch.namespaces;
    await scripts.delete(script, { ...account(place), dispatch_namespace, force: true });
  },
  queue: byName(
    (sdk, place) => sdk.queues.list(account(place)),
    ({ queue_id, queue_name }) => ({ id: queue_id, name: queue_name }),
    (sdk, place, id) => sdk.queues.delete(id, account(place)),
  ),
  route: byName(
    (sdk, place) => sdk.workers.routes.list(zoneOf(place)),
    ({ id, pattern }) => ({ id, name: pattern }),
    (sdk, place, id) => sdk.workers.routes.delete(id, zoneOf(place)),
  ),
  script: async (sdk, place, name) => void (await sdk.workers.scripts.delete(name, { ...account(place), force: true })),
};

const IN_ZONE: readonly ResourceKind[] = ["dns_record", "healthcheck", "route"];

/** Deletes a resource by its name. A missing one is no error. @throws Error of the SDK */
export async function removeResource(client: Client, place: Place, kind: ResourceKind, name: string): Promise<void> {
  if (IN_ZONE.includes(kind) && place.zone === undefined)
    throw new Error(`Failed to delete a ${kind}: the zone is unknown. Set CLOUDFLARE_ZONE_ID.`);
  try {
    await REMOVALS[kind](client.sdk, place, name);
  } catch (error) {
    if (!(error instanceof Cloudflare.NotFoundError)) throw error;
  }
}
