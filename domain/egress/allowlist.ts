/** An allowlist of hosts that a tenant's Worker recorded. */
import {
  DEFAULT_EGRESS_PORTS,
  type EgressEntry,
  type EgressHost,
  type EgressPolicy,
  MAX_EGRESS_ENTRIES,
} from "./policy-types.ts";

/** Returns a policy that allows the hosts of which a request was allowed: the most recent ones, by name. */
export function allowlistOf(hosts: readonly EgressHost[]): EgressPolicy {
  const portsOf = new Map<string, Set<number>>();
  const allowed = hosts.filter(({ requests, refused }) => requests > refused);
  for (const { host, port } of allowed.toSorted((one, other) => Date.parse(other.lastAt) - Date.parse(one.lastAt))) {
    const ports = portsOf.get(host);
    if (ports !== undefined) ports.add(port);
    else if (portsOf.size < MAX_EGRESS_ENTRIES) portsOf.set(host, new Set([port]));
  }
  const entries = [...portsOf].map(([host, ports]): EgressEntry => {
    const isDefault = [...ports].every((port) => DEFAULT_EGRESS_PORTS.has(port));
    return isDefault ? { host } : { host, ports: [...ports].sort((one, other) => one - other) };
  });
  return { mode: "allowlist", entries: entries.sort((one, other) => (one.host < other.host ? -1 : 1)) };
}
