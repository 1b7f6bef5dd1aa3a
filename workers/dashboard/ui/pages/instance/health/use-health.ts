import { keepPreviousData, type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { tenantHostname } from "#domain/names/hostnames.ts";
import { type ClientState, gateRefusal, type InstanceState } from "#domain/tenants/instance-state.ts";
import type { InstanceHealth } from "#workers/contracts/api/instances/instance-health.ts";
import { type Instance, instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { callApi } from "#workers/dashboard/ui/api/ask.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { fromApi, fromSnapshot, type ProbeResults } from "./probe-results.ts";
import { followTenant, type StreamState, type StreamUpdate } from "./tenant-stream.ts";

/** Without a stream, in milliseconds. */
const POLL_MS = 15_000;
/** With a stream, which lacks resources and history, in milliseconds. */
const SLOW_POLL_MS = 60_000;

export interface Health {
  source: StreamState;
  results: ProbeResults | undefined;
  read: UseQueryResult<InstanceHealth, Error>;
}

/** The tenant's origin: that of the dashboard with another host. */
export function useTenantAddress({ client, environment }: Pick<Instance, "client" | "environment">): URL {
  const { platform_domain } = useViewer();
  const address = new URL("/", location.href);
  address.hostname = tenantHostname(client.slug, environment, platform_domain);
  return address;
}

/** @param clientStatus of the instance's client. Default: as if it accepted traffic */
export function useHealth(instance: Instance, clientStatus: ClientState = "active"): Health {
  const address = useTenantAddress(instance);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  const { status, id, environment } = instance;
  // A closed gate also rejects the stream.
  const isGateClosed = gateRefusal(environment, clientStatus, status) !== undefined;
  const stream = useTenantStream(isGateClosed ? undefined : address.href, status);
  const params = { instance_id: id };
  const read = useQuery({
    // A separate key: each read calls the tenant, so that not every event triggers one.
    queryKey: ["instance health", id, status],
    queryFn: ({ signal }) => callApi(instanceRoutes.getInstanceHealth, { params }, { signal }),
    // Keeps the last result while the state changes.
    placeholderData: keepPreviousData,
    refetchInterval: stream.state === "live" ? SLOW_POLL_MS : POLL_MS,
  });
  const polled = read.data && fromApi(read.data.gateway, read.dataUpdatedAt);
  return {
    source: stream.state,
    results: stream.snapshot === undefined ? polled : fromSnapshot(stream.snapshot),
    read,
  };
}

function useTenantStream(address: string | undefined, status: InstanceState): StreamUpdate {
  const [stream, setStream] = useState<StreamUpdate>({ state: "connecting" });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each status reconnects without the delays of the previous one.
  useEffect(() => {
    setStream({ state: address === undefined ? "polling" : "connecting" });
    return address === undefined ? undefined : followTenant(address, setStream);
  }, [address, status]);
  return stream;
}
