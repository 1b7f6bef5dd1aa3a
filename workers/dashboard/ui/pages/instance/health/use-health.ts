/** How an instance is: from the tenant's own stream, or read from time to time where there is none. */
import { keepPreviousData, type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { tenantHostname } from "#domain/names/hostnames.ts";
import { gateRefusal, type InstanceState } from "#domain/tenants/instance-state.ts";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import type { InstanceHealth } from "#workers/contracts/api/tenants/instance-health.ts";
import { type Instance, instanceRoutes } from "#workers/contracts/api/tenants/instances.ts";
import { ask } from "#workers/dashboard/ui/api/ask.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { type Look, polledLook, streamedLook } from "./look.ts";
import { followTenant, type StreamState, type Told } from "./tenant-stream.ts";

/** While there is no stream, in milliseconds. */
const POLL_MS = 15_000;
/** What the stream does not tell (resources, history), in milliseconds. */
const REST_MS = 60_000;

export interface Health {
  source: StreamState;
  /** Undefined where nobody could look yet. */
  look: Look | undefined;
  read: UseQueryResult<InstanceHealth, Error>;
}

/** Under a tag of its own: each reading calls the tenant, so that not every piece of news is followed by one. */
export const healthKey = (instanceId: string) => ["instance health", instanceId] as const;

/** Scheme, host and port at which a browser reaches a tenant: as the dashboard itself, but for the host. */
export function useTenantAddress({ client, environment }: Pick<Instance, "client" | "environment">): URL {
  const { platform_domain } = useViewer();
  const address = new URL("/", location.href);
  address.hostname = tenantHostname(client.slug, environment, platform_domain);
  return address;
}

export function useHealth(instance: Instance, client: Client): Health {
  const address = useTenantAddress(instance);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  const { status, id, environment } = instance;
  // A gate that is shut is so for the stream too.
  const isShut = gateRefusal(environment, client.status, status) !== undefined;
  const told = useTenantStream(isShut ? undefined : address.href, status);
  const params = { instance_id: id };
  const read = useQuery({
    queryKey: [...healthKey(id), status],
    queryFn: ({ signal }) => ask(instanceRoutes.getInstanceHealth, { params }, { signal }),
    // What was seen stays while it is looked at anew, as after each change of the instance's state.
    placeholderData: keepPreviousData,
    refetchInterval: told.state === "live" ? REST_MS : POLL_MS,
  });
  const polled = read.data && polledLook(read.data.gateway, read.dataUpdatedAt);
  return { source: told.state, look: told.snapshot === undefined ? polled : streamedLook(told.snapshot), read };
}

/** @param address undefined where there is none to open @param status of the instance: what was in vain in one may be there in the next */
function useTenantStream(address: string | undefined, status: InstanceState): Told {
  const [told, setTold] = useState<Told>({ state: "connecting" });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each status begins anew, without the pauses that the last one had come to.
  useEffect(() => {
    setTold({ state: address === undefined ? "polling" : "connecting" });
    return address === undefined ? undefined : followTenant(address, setTold);
  }, [address, status]);
  return told;
}
