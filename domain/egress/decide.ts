/** Decides whether a request of a tenant's container is allowed. */
import { isPrivateHost } from "./addresses.ts";
import { hostOf, parentsOf } from "./hosts.ts";
import {
  DEFAULT_EGRESS_PORTS,
  type EgressEntry,
  type EgressLayers,
  type EgressMode,
  type EgressRefusal,
  egressModes,
  type PlatformHosts,
} from "./policy-types.ts";

interface Rule {
  readonly ports: ReadonlySet<number>;
  /** Undefined: all. */
  readonly methods: ReadonlySet<string> | undefined;
}

/** The entries of one layer, by host, and by the domain whose subdomains they match. */
interface Allowlist {
  readonly exact: ReadonlyMap<string, readonly Rule[]>;
  readonly below: ReadonlyMap<string, readonly Rule[]>;
}

/** A policy that is fast to ask. */
export interface CompiledPolicy {
  /** The strictest of the layers. */
  readonly mode: EgressMode;
  /** A request must be allowed by each. */
  readonly allowlists: readonly Allowlist[];
  /** Hosts that are refused with all subdomains. */
  readonly control: ReadonlySet<string>;
}

export type EgressDecision = { readonly allow: true } | { readonly allow: false; readonly reason: EgressRefusal };

const SCHEME_PORTS: Readonly<Record<string, number>> = { "http:": 80, "ws:": 80, "https:": 443, "wss:": 443 };

/** `fetch` refuses them too (https://fetch.spec.whatwg.org/#forbidden-method). */
const FORBIDDEN_METHODS: ReadonlySet<string> = new Set(["CONNECT", "TRACE", "TRACK"]);

/** Returns the strictest mode of the layers: `open` if none states one. */
export function strictestMode(layers: EgressLayers): EgressMode {
  const strictness = layers.map((layer) => (layer === null ? 0 : egressModes.indexOf(layer.mode)));
  return egressModes[Math.max(0, ...strictness)] ?? "allowlist";
}

/** Prepares the layers of a tenant: of its plan, platform, partner and itself. */
export function compile(layers: EgressLayers, platform: PlatformHosts): CompiledPolicy {
  return {
    mode: strictestMode(layers),
    allowlists: layers.flatMap((layer) => (layer?.mode === "allowlist" ? [allowlist(layer.entries)] : [])),
    control: new Set([platform.domain, ...platform.refused].map(hostOf).filter((host) => host !== "")),
  };
}

function allowlist(entries: readonly EgressEntry[]): Allowlist {
  const exact = new Map<string, Rule[]>();
  const below = new Map<string, Rule[]>();
  for (const { host, ports, methods } of entries) {
    const [map, name] = host.startsWith("*.") ? [below, host.slice(2)] : [exact, host];
    const rule = {
      ports: ports === undefined ? DEFAULT_EGRESS_PORTS : new Set(ports),
      methods: methods === undefined ? undefined : new Set<string>(methods),
    };
    const rules = map.get(hostOf(name));
    if (rules === undefined) map.set(hostOf(name), [rule]);
    else rules.push(rule);
  }
  return { exact, below };
}

/** A request without its path. */
interface Target {
  /** As `URL` writes it, without trailing dots. */
  readonly host: string;
  readonly port: number;
  /** In upper case. Undefined: any. */
  readonly method?: string | undefined;
}

/** Returns why a policy refuses a request; undefined if it allows it. The time does not depend on the number of entries. */
export function refusalOf(policy: CompiledPolicy, { host, port, method }: Target): EgressRefusal | undefined {
  if (host === "") return "scheme";
  if (method !== undefined && FORBIDDEN_METHODS.has(method)) return "method";
  const parents = parentsOf(host);
  if ([host, ...parents].some((name) => policy.control.has(name))) return "control-host";
  if (isPrivateHost(host)) return "private-address";
  for (const { exact, below } of policy.allowlists) {
    const rules = [...(exact.get(host) ?? []), ...parents.flatMap((parent) => below.get(parent) ?? [])];
    if (rules.length === 0) return "not-listed";
    const ofPort = rules.filter(({ ports }) => ports.has(port));
    if (ofPort.length === 0) return "port";
    if (method !== undefined && !ofPort.some(({ methods }) => methods?.has(method) ?? true)) return "method";
  }
  return undefined;
}

/** Decides a request. Other schemes than those of HTTP and WebSockets are refused. */
export function decide(policy: CompiledPolicy, { url, method }: { url: URL; method: string }): EgressDecision {
  const scheme = Object.hasOwn(SCHEME_PORTS, url.protocol) ? SCHEME_PORTS[url.protocol] : undefined;
  if (scheme === undefined) return { allow: false, reason: "scheme" };
  const port = url.port === "" ? scheme : Number(url.port);
  const reason = refusalOf(policy, { host: hostOf(url.hostname), port, method: method.toUpperCase() });
  return reason === undefined ? { allow: true } : { allow: false, reason };
}
