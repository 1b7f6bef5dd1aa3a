/** What a tenant gets of a channel, encrypted like the secrets of doors. */
import { type Channel, channel } from "#workers/contracts/tenant/channels.ts";
import { type DoorKeys, open, seal } from "./door-secrets.ts";

const contextOf = (id: string) => `channel:${id}`;

/** @param id of the channel, without which the bytes cannot be decrypted */
export const sealChannel = (keys: DoorKeys, id: string, value: Channel): Promise<Uint8Array> =>
  seal(keys, contextOf(id), value);

/** @throws SealedWithOtherKey, or another Error for bytes that were changed or belong to another channel */
export const openChannel = async (keys: DoorKeys, id: string, bytes: Uint8Array): Promise<Channel> =>
  channel.parse(await open(keys, contextOf(id), bytes));
