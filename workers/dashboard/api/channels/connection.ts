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
import { CHANNEL_KINDS, type ChannelKind, freeDoorName } from "#domain/channels/channel.ts";
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
import { sendInstanceEvent } from "../events.ts";
import { lockedInstance, requireInstance } from "../required.ts";
import { apiOf } from "./vendor-call.ts";
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

export const tokenOf = ({ secrets }: Channel): string => secrets.botToken;

/** Returns a channel with another token. */
export function withToken(channel: Channel, token: string): Channel {
  if (channel.kind === "telegram") return { ...channel, secrets: { ...channel.secrets, botToken: token } };
  return { ...channel, secrets: { botToken: token } };
}

/** Returns the bot of a token. @throws Failure */
export async function requireAccount(settings: Settings, kind: ChannelKind, token: string): Promise<Account> {
  const answer: Answer<Account> = await VENDORS[kind].account(apiOf(kind, settings.CHANNEL_APIS), token);
  if (answer !== "rejected") return answer;
  throw failure(channelErrors.channel_token_rejected, { vendor: CHANNEL_KINDS[kind].label });
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
  given: { kind: ChannelKind; token: string; secret?: string | undefined; move: boolean; account: Account },
): Promise<{ id: string; url: string }> {
  const { db, settings, caller } = call;
  const { kind, token, secret, account } = given;
  const { ENVIRONMENT: environment, CHANNEL_APIS: apis } = settings;
  const instance = await makeRoom(db, settings, instanceId, { ...given, caller });
  if ((await listChannels(db, environment, instance.id)).some((one) => one.kind === kind)) {
    throw failure(duplicateErrors.channel_kind_exists);
  }
  const doors = await listDoors(db, environment, instance.id);
  const name = freeDoorName(
    kind,
    doors.map((one) => one.name),
  );
  const { secret: terms } = CHANNEL_KINDS[kind];
  const secrets = terms && secret !== undefined ? { [terms.name]: secret } : {};
  const door = await createDoor(call, instance, { kind, name, secrets });
  const id = crypto.randomUUID();
  const common = { url: door.url, ...(apis[kind] !== undefined && { apiRoot: apis[kind] }) };
  const credentials = await sealedChannel(settings, id, channelOf(kind, common, token, door.generated));
  const row = { id, environment, instanceId: instance.id, kind, doorId: door.id, account, credentials };
  await insertChannel(db, { ...row, createdBy: caller.email });
  await requestPush(db, instance, caller.email);
  await sendInstanceEvent(db, instance, "channel.created", caller.email, { channel_id: id, kind });
  return { id, url: door.url };
}

function channelOf(
  kind: ChannelKind,
  common: { url: string; apiRoot?: string },
  token: string,
  { secretToken = "" }: Readonly<Record<string, string>>,
): Channel {
  if (kind === "telegram") return { kind, ...common, secrets: { botToken: token, secretToken } };
  return { kind, ...common, secrets: { botToken: token } };
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

/** Deletes a channel with its door, and requests that the tenant loses it. */
export async function disconnect(
  db: Kysely<DB>,
  { ENVIRONMENT: environment }: Settings,
  { id, kind, door_id }: ListedChannel,
  caller: Caller,
): Promise<void> {
  const door = await lockedDoor(db, environment, door_id);
  await deleteChannel(db, id);
  await removeDoor(db, door, caller);
  await requestPush(db, door.instance, caller.email);
  await sendInstanceEvent(db, door.instance, "channel.deleted", caller.email, { channel_id: id, kind });
}
