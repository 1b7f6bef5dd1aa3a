/** Connects bots to instances and disconnects them: rows, doors, and the jobs that send tenants their channels. */
import type { Kysely } from "kysely";
import {
  deleteChannel,
  findChannel,
  insertChannel,
  type ListedChannel,
  listChannels,
  readCredentials,
} from "#database/channels/channels.ts";
import { listDoors } from "#database/doors/doors.ts";
import type { KnownInstance } from "#database/tenants/instances.ts";
import type { DB } from "#database/types.ts";
import { requestJob } from "#database/work/job-request.ts";
import { freeDoorName, valuesFor } from "#domain/channels/channel.ts";
import { type ChannelKind, type ChannelValues, isWebhookKind, messengerOf, termsOf } from "#domain/channels/kinds.ts";
import type { Environment } from "#domain/environment.ts";
import { channelErrors } from "#domain/errors/api/channels.ts";
import { duplicateErrors } from "#domain/errors/database/constraints.ts";
import type { channelRoutes } from "#workers/contracts/api/tenants/channels.ts";
import type { Channel } from "#workers/contracts/tenant/channels.ts";
import { openChannel, sealChannel } from "#workers/shared/doors/channel-credentials.ts";
import { doorKeysOf, type Settings } from "../../env.ts";
import { failure, requireFound } from "../../http/failure.tsx";
import type { Call } from "../../http/serve.ts";
import type { Caller } from "../../identity/caller.ts";
import { createDoor, lockedDoor, removeDoor } from "../doors/handlers.ts";
import { requireChannelHosts } from "../egress/channels.ts";
import { sendInstanceEvent } from "../events.ts";
import { lockedInstance, requireInstance } from "../required.ts";
import { apiOf, standInOf } from "./vendor-call.ts";
import { type Account, type Answer, VENDORS } from "./vendors.ts";

export type ChannelCall = Pick<Call<typeof channelRoutes.createChannel>, "db" | "settings" | "caller" | "request">;

export const requireChannel = async (db: Kysely<DB>, environment: Environment, id: string): Promise<ListedChannel> =>
  requireFound(await findChannel(db, environment, { id }), channelErrors.channel_not_found);

/** Returns what the tenant gets of a channel, with its encrypted form. @throws Failure `conflict` */
export async function credentialsOf(
  db: Kysely<DB>,
  settings: Settings,
  { id, account }: ListedChannel,
): Promise<{ channel: Channel; sealed: Buffer }> {
  const sealed = requireFound(await readCredentials(db, id), channelErrors.channel_not_found);
  try {
    return { channel: await openChannel(doorKeysOf(settings), id, sealed), sealed };
  } catch {
    throw failure(channelErrors.channel_credentials_unreadable, { bot: account.name });
  }
}

export const sealedChannel = async (settings: Settings, id: string, channel: Channel): Promise<Buffer> =>
  Buffer.from(await sealChannel(doorKeysOf(settings), id, channel));

/** Returns a channel with values of a form in place of its own. */
export function withValues<T extends Pick<Channel, "kind" | "secrets" | "settings">>(
  channel: T,
  values: ChannelValues,
): T {
  const { kind, secrets } = channel;
  const settings = { ...channel.settings, ...valuesFor(kind, values, "settings") };
  return {
    ...channel,
    secrets: { ...secrets, ...valuesFor(kind, values, "secrets") },
    ...(Object.keys(settings).length > 0 && { settings }),
  };
}

/** Asks the vendor for a channel's bot. @throws Failure */
export const accountOf = (
  settings: Settings,
  { kind, ...credentials }: Pick<Channel, "kind" | "secrets" | "settings">,
): Promise<Answer<Account>> =>
  VENDORS[kind].account(apiOf(kind, settings.CHANNEL_APIS, credentials.settings?.homeserver), credentials);

/** Returns the bot of credentials. @throws Failure */
export async function requireAccount(...given: Parameters<typeof accountOf>): Promise<Account> {
  const answer = await accountOf(...given);
  if (answer !== "rejected") return answer;
  throw failure(channelErrors.channel_token_rejected, { vendor: termsOf(given[1].kind).label });
}

/** Requests that the automation service sends a tenant its channels. */
export async function requestPush(db: Kysely<DB>, { id, client }: KnownInstance, requestedBy: string): Promise<void> {
  const { id: clientId, slug } = client;
  await requestJob(db, { kind: "push_channels", clientId, instanceId: id, slug, requestedBy });
}

/** @param account of the token, which the vendor has accepted */
export async function connect(
  call: ChannelCall,
  instanceId: string,
  given: { kind: ChannelKind; values: ChannelValues; move: boolean; allowHosts: boolean; account: Account },
): Promise<{ id: string; url: string | null }> {
  const { db, settings, caller } = call;
  const { kind, values, account } = given;
  const { ENVIRONMENT: environment } = settings;
  const instance = await makeRoom(db, settings, instanceId, { ...given, caller });
  if ((await listChannels(db, environment, instance.id)).some((one) => messengerOf(one.kind) === messengerOf(kind))) {
    throw failure(duplicateErrors.channel_kind_exists);
  }
  const by = given.allowHosts ? caller.email : undefined;
  await requireChannelHosts(db, settings, instance, { channel: { kind, server: values.homeserver }, by });
  const door = await doorFor(call, instance, kind, values);
  const id = crypto.randomUUID();
  const apiRoot = standInOf(kind, settings.CHANNEL_APIS);
  const secrets = Object.fromEntries(
    (termsOf(kind).generated ?? []).map((name) => [name, door?.generated[name] ?? ""]),
  );
  const common = { kind, secrets, ...(door && { url: door.url }), ...(apiRoot !== undefined && { apiRoot }) };
  const credentials = await sealedChannel(settings, id, withValues(common, values));
  const row = { id, environment, instanceId: instance.id, kind, account, credentials };
  await insertChannel(db, { ...row, doorId: door?.id ?? null, createdBy: caller.email });
  await requestPush(db, instance, caller.email);
  await sendInstanceEvent(db, instance, "channel.created", caller.email, { channel_id: id, kind });
  return { id, url: door?.url ?? null };
}

/** Creates the door of a webhook channel. */
async function doorFor(call: ChannelCall, instance: KnownInstance, kind: ChannelKind, values: ChannelValues) {
  if (!isWebhookKind(kind)) return undefined;
  const doors = await listDoors(call.db, call.settings.ENVIRONMENT, instance.id);
  const name = freeDoorName(
    kind,
    doors.map((one) => one.name),
  );
  return createDoor(call, instance, { kind, name, secrets: valuesFor(kind, values, "door") });
}

/** Disconnects the bot from another instance if that is wanted. @returns the instance, locked @throws Failure `conflict` */
async function makeRoom(
  db: Kysely<DB>,
  settings: Settings,
  instanceId: string,
  { kind, account, move, caller }: { kind: ChannelKind; account: Account; move: boolean; caller: Caller },
): Promise<KnownInstance> {
  const { ENVIRONMENT: environment } = settings;
  const findOther = () => findChannel(db, environment, { kind, accountId: account.id });
  const before = await findOther();
  // In the order of their clients, so that two moves do not wait for each other.
  const ids = [...new Set([instanceId, before?.instance_id ?? instanceId])];
  const involved = await Promise.all(ids.map((id) => requireInstance(db, environment, id)));
  const locks = new Map<string, KnownInstance>();
  for (const { id } of involved.toSorted((a, b) => (a.client.id < b.client.id ? -1 : 1))) {
    locks.set(id, await lockedInstance(db, environment, id));
  }
  const instance = locks.get(instanceId) ?? (await lockedInstance(db, environment, instanceId));
  const other = await findOther();
  const from = other && other.instance_id !== instanceId ? locks.get(other.instance_id) : undefined;
  if (other === undefined || from === undefined) return instance;
  if (!move) throw failure(channelErrors.channel_bot_connected, { bot: account.name, slug: from.client.slug });
  await disconnect(db, settings, other, caller);
  return instance;
}

/** Locks a channel's instance, and its door if it has one. */
export async function lockedChannel(
  db: Kysely<DB>,
  environment: Environment,
  { door_id, instance_id }: ListedChannel,
): Promise<{ instance: KnownInstance; door: Awaited<ReturnType<typeof lockedDoor>> | undefined }> {
  if (door_id === null) return { instance: await lockedInstance(db, environment, instance_id), door: undefined };
  const door = await lockedDoor(db, environment, door_id);
  return { instance: door.instance, door };
}

/** Deletes a channel with its door, and requests that the tenant loses it. */
export async function disconnect(
  db: Kysely<DB>,
  { ENVIRONMENT: environment }: Settings,
  found: ListedChannel,
  caller: Caller,
): Promise<void> {
  const { id, kind } = found;
  const { instance, door } = await lockedChannel(db, environment, found);
  await deleteChannel(db, id);
  if (door !== undefined) await removeDoor(db, door, caller);
  await requestPush(db, instance, caller.email);
  await sendInstanceEvent(db, instance, "channel.deleted", caller.email, { channel_id: id, kind });
}
