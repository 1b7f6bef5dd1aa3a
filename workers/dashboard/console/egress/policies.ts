/** Egress policies that a tenant's ADMIN sees and states in the console. */
import type { Kysely } from "kysely";
import * as z from "zod";
import { consoleEgress, setConsoleEgress } from "#database/console/egress.ts";
import type { ChangeOrigin, ConsoleUser } from "#database/console/person.ts";
import { storedEgress } from "#database/egress/policies.ts";
import type { DB } from "#database/types.ts";
import { channelKinds } from "#domain/channels/kinds.ts";
import type { EgressChannel } from "#domain/egress/channel-hosts.ts";
import type { EgressPolicy } from "#domain/egress/policy-types.ts";
import { managers } from "#domain/entities/entity.ts";
import { consoleErrors } from "#domain/errors/api/console.ts";
import { requestErrors } from "#domain/errors/api/requests.ts";
import { withServers } from "../../api/egress/channels.ts";
import type { Settings } from "../../env.ts";
import { failure } from "../../http/failure.tsx";
import { requireOwn } from "../../http/git-owned.ts";

const found = storedEgress.extend({
  managed_by: z.enum(managers),
  owner: z.string().nullable(),
  /** Kinds of the tenant's channels. */
  channels: z.array(z.enum(channelKinds)),
  /** Channels with servers of their own. A database of an earlier version returns none. */
  own_servers: z
    .array(
      z.object({
        id: z.uuid(),
        kind: z.enum(channelKinds),
        credentials: z.string().transform((text) => Buffer.from(text, "base64")),
      }),
    )
    .default([]),
});
export type ConsoleEgress = z.infer<typeof found>;

/** Returns the tenant's channels. */
export const channelsOf = async (
  settings: Settings,
  { channels, own_servers }: ConsoleEgress,
): Promise<EgressChannel[]> => [...channels.map((kind) => ({ kind })), ...(await withServers(settings, own_servers))];

/** @throws Failure `forbidden` for a user who is not an ADMIN */
export async function findConsoleEgress(db: Kysely<DB>, user: ConsoleUser): Promise<ConsoleEgress> {
  const stored = found.nullable().parse(await consoleEgress(db, user));
  if (stored === null) throw failure(consoleErrors.console_admin_required);
  return stored;
}

/** @param change.present as it was read @throws Failure */
export async function storeConsoleEgress(
  db: Kysely<DB>,
  user: ConsoleUser,
  {
    present,
    policy,
    versions,
    origin,
  }: {
    present: ConsoleEgress;
    policy: EgressPolicy | null;
    versions: readonly number[] | undefined;
    origin: ChangeOrigin;
  },
): Promise<void> {
  const done = await setConsoleEgress(db, user, { policy, versions, ...origin });
  if (done === null) throw failure(consoleErrors.console_admin_required);
  if (done === "changed") throw failure(requestErrors.entity_changed);
  if (done === "git")
    requireOwn(`The instance of ${user.slug}`, { managed_by: "git", owner: present.owner }, user.slug);
}
