/** Egress policies of a tenant, with what plan and platform state. */
import type { Kysely } from "kysely";
import { type StoredEgress, setInstanceEgress } from "#database/egress/policies.ts";
import type { KnownInstance } from "#database/tenants/instances.ts";
import type { DB } from "#database/types.ts";
import { allowlistOf } from "#domain/egress/allowlist.ts";
import { platformHosts as hostsOfPlatform, planEgress } from "#domain/egress/bound.ts";
import { type EgressChannel, entryOf, refusedHosts } from "#domain/egress/channel-hosts.ts";
import { compile, refusalOf, strictestMode } from "#domain/egress/decide.ts";
import type { EgressHost, EgressPolicy, PlatformHosts } from "#domain/egress/policy-types.ts";
import { previewEgress } from "#domain/egress/preview.ts";
import { type EgressDraft, type EgressFault, validateEgress } from "#domain/egress/validate.ts";
import { egressState } from "#domain/entities/egress.ts";
import { egressPolicyErrors } from "#domain/errors/tenants/egress.ts";
import type { Egress, EgressHosts, EgressLoss, EgressTraffic } from "#workers/contracts/api/tenants/egress.ts";
import type { EgressReport } from "#workers/contracts/tenant/egress.ts";
import type { Settings } from "../../env.ts";
import { Failure, failure } from "../../http/failure.tsx";
import { requireOwn } from "../../http/git-owned.ts";
import { TenantOrders } from "../../tenants/tenant-orders.ts";
import { sendInstanceEvent } from "../events.ts";

export const platformHosts = ({ EGRESS_BOUND, PLATFORM_DOMAIN: domain }: Settings): PlatformHosts =>
  EGRESS_BOUND?.platform ?? hostsOfPlatform(domain);

/** A tenant's policies as the API shows them. */
export function egressBody(settings: Settings, stored: StoredEgress): Egress {
  const { plan, partner, tenant, last_error, pushed_at, version } = stored;
  const platform = settings.EGRESS_BOUND?.layers[0] ?? null;
  const layers = { plan: planEgress(plan), platform, partner, tenant };
  return {
    mode: strictestMode(Object.values(layers)),
    layers,
    state: egressState(stored),
    last_error,
    pushed_at: pushed_at?.toISOString() ?? null,
    version,
  };
}

const MAX_FAULTS = 20;

/** Returns a policy as it is stored. @param channels that need hosts @throws Failure for its first fault, with further ones as details */
export function requirePolicy(
  settings: Settings,
  draft: EgressDraft,
  channels: readonly EgressChannel[],
): EgressPolicy {
  const { policy, faults } = validateEgress(draft, { platform: platformHosts(settings), channels });
  if (policy !== undefined) return policy;
  throw new Failure(faults[0], { details: detailsOf(faults) });
}

function detailsOf(faults: readonly EgressFault[]): Record<string, string[]> {
  const details: Record<string, string[]> = {};
  for (const { entry, message } of faults.slice(0, MAX_FAULTS)) {
    const field = entry === undefined ? "policy" : `policy.entries.${entry}`;
    details[field] = [...(details[field] ?? []), message];
  }
  return details;
}

/** @throws Failure for a host that no policy can allow */
export function requireReachable(settings: Settings, host: string): void {
  if (refusalOf(compile([], platformHosts(settings)), { host, port: 443 }) === undefined) return;
  throw failure(egressPolicyErrors.egress_entry_always_refused, { host });
}

/** Stores a valid policy of a tenant, which a trigger sends to it. @param instance locked @throws Failure for the tenant of a stack file */
export async function storePolicy(
  db: Kysely<DB>,
  instance: KnownInstance,
  { policy, by }: { policy: EgressPolicy | null; by: string },
): Promise<void> {
  requireOwn(`The instance of ${instance.client.slug}`, instance, instance.client.slug);
  await setInstanceEgress(db, instance.id, policy);
  await sendInstanceEvent(db, instance, "egress.changed", by, { mode: policy?.mode ?? "none" });
}

/** Returns policies that are not stored, with what they would refuse of recorded traffic. @param release ends the transaction: the tenant may be slow */
export async function previewBody(
  settings: Settings,
  stored: StoredEgress,
  slug: string,
  release: () => Promise<void>,
) {
  const previewed = egressBody(settings, stored);
  await release();
  const { hosts } = await new TenantOrders(settings).egress(slug);
  return { ...previewed, would_refuse: lossesOf(settings, previewed, hosts) };
}

/** Returns what a tenant's policies would refuse of recorded traffic. */
const lossesOf = (settings: Settings, { layers }: Egress, hosts: readonly EgressHost[]): EgressLoss[] =>
  previewEgress(compile(Object.values(layers), platformHosts(settings)), hosts).map(({ lastAt: last_at, ...loss }) => ({
    ...loss,
    last_at,
  }));

/** Returns an allowlist with the entries of a policy, with recorded hosts that they do not allow, and with hosts of channels. */
export function extendedAllowlist(
  settings: Settings,
  present: EgressPolicy | null,
  { hosts, channels }: { hosts: readonly EgressHost[]; channels: readonly EgressChannel[] },
): EgressPolicy {
  const platform = platformHosts(settings);
  const compiled = (entries: EgressPolicy["entries"]) => compile([{ mode: "allowlist", entries }], platform);
  const own = present?.entries ?? [];
  const before = compiled(own);
  const isRefused = ({ host, port }: EgressHost) => {
    const reason = refusalOf(before, { host, port });
    return reason === "not-listed" || reason === "port";
  };
  const entries = [...own, ...allowlistOf(hosts.filter(isRefused)).entries];
  const after = compiled(entries);
  const missing = channels.flatMap((channel) => refusedHosts(after, channel)).map(entryOf);
  const unique = new Map(missing.map((entry) => [JSON.stringify(entry), entry]));
  return requirePolicy(settings, { mode: "allowlist", entries: [...entries, ...unique.values()] }, channels);
}

const trafficBody = ({ sentBytes, receivedBytes, firstAt, lastAt, ...host }: EgressHost): EgressTraffic => ({
  ...host,
  sent_bytes: sentBytes,
  received_bytes: receivedBytes,
  first_at: firstAt,
  last_at: lastAt,
});

export const hostsBody = ({ mode, restartRequired, gaps, hosts }: EgressReport): EgressHosts => ({
  mode,
  restart_required: restartRequired,
  gaps,
  data: hosts.toSorted((one, other) => Date.parse(other.lastAt) - Date.parse(one.lastAt)).map(trafficBody),
});
