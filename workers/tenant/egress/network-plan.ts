/** Which requests of the container pass through the Worker. The Worker decides about them by their URL, so a plan follows the mode only. */
import { strictestMode } from "#domain/egress/decide.ts";
import {
  DEFAULT_EGRESS_PORTS,
  type EgressBound,
  type EgressLayers,
  type PlatformHosts,
} from "#domain/egress/policy-types.ts";

export interface Interception {
  readonly protocol: "http" | "https";
  /** Host, glob or CIDR block, with a port unless it is the protocol's own (vendor: "Handle outbound traffic"). `*` stands for all. */
  readonly address: string;
}

/** Network access of a container. */
export interface NetworkPlan {
  /** Whether what is not intercepted passes. It takes effect when the container starts. */
  readonly internet: boolean;
  readonly interceptions: readonly Interception[];
}

/** Every host, on ports 80 and 443. */
export const EVERY_HOST = "*";

/**
 * Blocks that a container's network may route without the internet: private use (RFC 1918, RFC 4193), link-local with metadata services (RFC 3927,
 * RFC 4291), carriers (RFC 6598), Azure's metadata, and multicast with reserved addresses (RFC 1112), which some networks use as private ones.
 */
export const LOCAL_BLOCKS = [
  ...["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10", "168.63.129.16/32"],
  "224.0.0.0/3",
  ...["fc00::/7", "fe80::/10"],
] as const;

const EVERY_ADDRESS = ["0.0.0.0/0", "[::/0]"] as const;

const PROTOCOLS = ["http", "https"] as const;

const onBoth = (addresses: readonly string[]): Interception[] =>
  addresses.flatMap((address) => PROTOCOLS.map((protocol) => ({ protocol, address })));

/**
 * Returns the network access that a policy demands. `open` intercepts what is always refused, where the vendor's interface can: its HTTPS
 * interception is documented for hosts only, so that of address blocks may be missing.
 *
 * @param layers all of the tenant, from the plan's to its own
 * @param bound undefined in a deployment without `EGRESS_BOUND`
 */
export function networkPlan(layers: EgressLayers, bound: EgressBound | undefined): NetworkPlan {
  const mode = strictestMode(layers);
  const refused = onBoth([...(bound === undefined ? [] : controlGlobs(bound.platform)), ...LOCAL_BLOCKS]);
  const all = mode === "open" ? [] : onBoth([EVERY_HOST]);
  const ports = mode === "allowlist" ? otherPorts(layers).flatMap(everyHostOn) : [];
  return { internet: mode !== "allowlist", interceptions: [...refused, ...all, ...ports] };
}

const controlGlobs = ({ domain, refused }: PlatformHosts): string[] =>
  [...new Set([domain, ...refused])].flatMap((host) => (host === "" ? [] : [host, `*.${host}`]));

/**
 * Every host, on a port. The vendor reads the name of HTTP on port 80 only, so that a mapping by name matches on no other (`main.go` of
 * cloudflare/proxy-everything); that of TLS on every port.
 */
const everyHostOn = (port: number): Interception[] => [
  ...EVERY_ADDRESS.map((block) => ({ protocol: "http" as const, address: `${block}:${port}` })),
  { protocol: "https", address: `${EVERY_HOST}:${port}` },
];

/** Returns the ports other than 80 and 443 that all allowlists together may allow. */
function otherPorts(layers: EgressLayers): number[] {
  const entries = layers.flatMap((layer) => (layer?.mode === "allowlist" ? layer.entries : []));
  return [...new Set(entries.flatMap(({ ports = [] }) => ports))].filter((port) => !DEFAULT_EGRESS_PORTS.has(port));
}
