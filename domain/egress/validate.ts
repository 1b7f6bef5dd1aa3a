/** Validation and normalisation of a policy before it is saved. */
import { CHANNEL_KINDS } from "../channels/kinds.ts";
import { type StatedError, stateError } from "../errors/stated.ts";
import { egressPolicyErrors as errors } from "../errors/tenants/egress.ts";
import { channelHosts, type EgressChannel, refusedHosts, textOfHost } from "./channel-hosts.ts";
import { compile, refusalOf } from "./decide.ts";
import { hostOf, isIpAddress, sampleOf } from "./hosts.ts";
import {
  type EgressEntry,
  type EgressMode,
  type EgressPolicy,
  egressMethods,
  MAX_EGRESS_ENTRIES,
  type PlatformHosts,
} from "./policy-types.ts";
import { isPublicSuffix } from "./public-suffixes.ts";

/** A policy as a person states it. */
export interface EgressDraft {
  readonly mode: EgressMode;
  readonly entries: readonly EgressDraftEntry[];
}
export interface EgressDraftEntry {
  readonly host: string;
  readonly ports?: readonly number[] | undefined;
  readonly methods?: readonly string[] | undefined;
}

export interface EgressContext {
  readonly platform: PlatformHosts;
  /** Connected channels of the tenant. Default: none. */
  readonly channels?: readonly EgressChannel[];
}

/** A fault, and the index of the entry that has it; undefined for one of the whole policy. */
export interface EgressFault extends StatedError {
  readonly entry: number | undefined;
}

export type EgressValidation =
  | { readonly policy: EgressPolicy; readonly faults?: undefined }
  | { readonly policy?: undefined; readonly faults: readonly [EgressFault, ...EgressFault[]] };

const HTTPS_PORT = 443;
const WILDCARD = "*.";
const MAX_HOST_LENGTH = 253;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

type Method = (typeof egressMethods)[number];
const isMethod = (method: string): method is Method => egressMethods.some((known) => known === method);
const isPort = (port: number) => Number.isInteger(port) && port >= 1 && port <= 65_535;

/**
 * Returns a policy with its hosts in lower case, in punycode and without trailing dots, and with sorted ports and methods; or all its faults. Order of
 * entries is kept.
 */
export function validateEgress(
  { mode, entries }: EgressDraft,
  { platform, channels = [] }: EgressContext,
): EgressValidation {
  const faults: EgressFault[] = [];
  if (entries.length > MAX_EGRESS_ENTRIES) {
    const values = { most: MAX_EGRESS_ENTRIES, count: entries.length };
    faults.push({ entry: undefined, ...stateError(errors.egress_entries_too_many, values) });
  }
  const always = compile([], platform);
  const seen = new Set<string>();
  const valid: EgressEntry[] = [];
  for (const [index, draft] of entries.slice(0, MAX_EGRESS_ENTRIES).entries()) {
    const wrong = [...entryFaults(draft)];
    const entry = wrong.length === 0 ? normalEntry(draft) : undefined;
    if (entry !== undefined) {
      const { host } = entry;
      if (refusalOf(always, { host: sampleOf(host), port: HTTPS_PORT }) !== undefined)
        wrong.push(stateError(errors.egress_entry_always_refused, { host }));
      else if (host.startsWith(WILDCARD) && isPublicSuffix(host.slice(WILDCARD.length)))
        wrong.push(stateError(errors.egress_entry_too_wide, { host }));
      else if (seen.has(JSON.stringify(entry))) wrong.push(stateError(errors.egress_entry_duplicate, { host }));
      seen.add(JSON.stringify(entry));
      valid.push(entry);
    }
    faults.push(...wrong.map((fault) => ({ entry: index, ...fault })));
  }
  const policy: EgressPolicy = { mode, entries: valid };
  if (mode === "allowlist" && faults.length === 0)
    faults.push(...channelFaults(policy, platform, channels).map((fault) => ({ entry: undefined, ...fault })));
  const [first, ...others] = faults;
  return first === undefined ? { policy } : { faults: [first, ...others] };
}

function* entryFaults({ host, ports = [], methods = [] }: EgressDraftEntry): Generator<StatedError> {
  if (host.trim() === "*") yield stateError(errors.egress_entry_too_wide, { host });
  else if (normalHost(host) === undefined)
    yield stateError(errors.egress_entry_host_invalid, { host: JSON.stringify(host) });
  for (const port of ports) if (!isPort(port)) yield stateError(errors.egress_entry_port_invalid, { host, port });
  for (const method of methods)
    if (!isMethod(method.toUpperCase())) yield stateError(errors.egress_entry_method_invalid, { host, method });
}

/** @param draft without faults */
function normalEntry({ host, ports, methods }: EgressDraftEntry): EgressEntry {
  const upper = methods?.map((method) => method.toUpperCase());
  return {
    host: normalHost(host) ?? host,
    ...(ports === undefined || ports.length === 0
      ? {}
      : { ports: [...new Set(ports)].sort((one, other) => one - other) }),
    ...(upper === undefined || upper.length === 0
      ? {}
      : { methods: egressMethods.filter((method) => upper.includes(method)) }),
  };
}

/** Returns a host as entries are stored; undefined if it is none. An IPv6 address can have brackets; one with a zone is none. */
export function normalHost(text: string): string | undefined {
  const host = text.trim();
  const isBelow = host.startsWith(WILDCARD);
  const name = isBelow ? host.slice(WILDCARD.length) : host;
  const isIpv6 = /^\[?[0-9a-f:.]*:[0-9a-f:.]*\]?$/i.test(name);
  // `URL` would drop some of these characters, and decode or end the host at others.
  if (!isIpv6 && /[\s/?#@\\%:[\]*]/.test(name)) return undefined;
  const url = `http://${isIpv6 && !name.startsWith("[") ? `[${name}]` : name}`;
  if (name === "" || !URL.canParse(url)) return undefined;
  const normal = hostOf(new URL(url).hostname);
  if (isIpAddress(normal)) return isBelow ? undefined : normal;
  const isName = normal.length <= MAX_HOST_LENGTH && normal.split(".").every((label) => LABEL.test(label));
  return isName ? `${isBelow ? WILDCARD : ""}${normal}` : undefined;
}

function channelFaults(
  policy: EgressPolicy,
  platform: PlatformHosts,
  channels: readonly EgressChannel[],
): StatedError[] {
  const compiled = compile([policy], platform);
  return channels.flatMap((channel) => {
    const { label } = CHANNEL_KINDS[channel.kind];
    if (channelHosts(channel) === undefined)
      return [stateError(errors.egress_channel_without_http, { channel: label })];
    return refusedHosts(compiled, channel).map((refused) =>
      stateError(errors.egress_channel_host_missing, { channel: label, host: textOfHost(refused) }),
    );
  });
}
