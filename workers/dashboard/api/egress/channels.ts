/** What channels need of egress policies. */
import type { Kysely } from "kysely";
import { findEgress, listEgressChannels, type StoredEgressChannel } from "#database/egress/policies.ts";
import type { KnownInstance } from "#database/tenants/instances.ts";
import type { DB } from "#database/types.ts";
import { termsOf } from "#domain/channels/kinds.ts";
import { channelHosts, type EgressChannel, entryOf, refusedHosts, textOfHost } from "#domain/egress/channel-hosts.ts";
import { compile } from "#domain/egress/decide.ts";
import { channelErrors } from "#domain/errors/api/channels.ts";
import { instanceErrors } from "#domain/errors/api/instances.ts";
import { openChannel } from "#workers/shared/doors/channel-credentials.ts";
import { doorKeysOf, type Settings } from "../../env.ts";
import { failure, requireFound } from "../../http/failure.tsx";
import { egressBody, platformHosts, requirePolicy, storePolicy } from "./policies.ts";

/** Returns the channels of an instance, or of a partner's tenants. */
export const egressChannelsOf = async (
  db: Kysely<DB>,
  settings: Settings,
  of: Parameters<typeof listEgressChannels>[1],
): Promise<EgressChannel[]> => withServers(settings, await listEgressChannels(db, of));

/** Returns channels with their own servers. That of credentials that cannot be decrypted is unknown. */
export const withServers = (settings: Settings, channels: readonly StoredEgressChannel[]): Promise<EgressChannel[]> =>
  Promise.all(
    channels.map(async ({ id, kind, credentials }) => {
      if (credentials === null) return { kind };
      const opened = await openChannel(doorKeysOf(settings), id, credentials).catch(() => undefined);
      return { kind, server: opened?.settings?.homeserver };
    }),
  );

/**
 * Checks that a new channel works under the instance's egress policies.
 *
 * @param instance locked
 * @param options.by adds missing hosts to the tenant's policy in this user's name. Undefined: they are missing then
 * @throws Failure `conflict`
 */
export async function requireChannelHosts(
  db: Kysely<DB>,
  settings: Settings,
  instance: KnownInstance,
  { channel, by }: { channel: EgressChannel; by: string | undefined },
): Promise<void> {
  const stored = requireFound(
    await findEgress(db, settings.ENVIRONMENT, instance.id),
    instanceErrors.instance_not_found,
  );
  const { mode, layers } = egressBody(settings, stored);
  const { label } = termsOf(channel.kind);
  if (mode !== "allowlist") return;
  if (channelHosts(channel) === undefined) throw failure(channelErrors.channel_without_http, { channel: label });
  const platform = platformHosts(settings);
  const values = (hosts: ReturnType<typeof refusedHosts>) => ({
    channel: label,
    hosts: hosts.map(textOfHost).join(", "),
  });
  const bound = refusedHosts(compile([layers.plan, layers.platform, layers.partner], platform), channel);
  if (bound.length > 0) throw failure(channelErrors.channel_hosts_bound, values(bound));
  const missing = refusedHosts(compile([layers.tenant], platform), channel);
  if (missing.length === 0 || layers.tenant === null) return;
  if (by === undefined) throw failure(channelErrors.channel_hosts_not_listed, values(missing));
  const entries = [...layers.tenant.entries, ...missing.map(entryOf)];
  const policy = requirePolicy(settings, { ...layers.tenant, entries }, [channel]);
  await storePolicy(db, instance, { policy, by });
}
