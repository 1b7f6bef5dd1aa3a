/** A tenant's key for a model provider, encrypted like the secrets of doors. */
import { type ProviderKeySecret, providerKeySecret } from "#workers/contracts/tenant/provider-keys.ts";
import { type DoorKeys, open, seal } from "./door-secrets.ts";

const contextOf = (id: string) => `provider-key:${id}`;

/** @param id of the key, without which the bytes cannot be decrypted */
export const sealProviderKey = (keys: DoorKeys, id: string, secret: ProviderKeySecret): Promise<Uint8Array> =>
  seal(keys, contextOf(id), secret);

/** @throws SealedWithOtherKey, or another Error for bytes that were changed or belong to another key */
export const openProviderKey = async (keys: DoorKeys, id: string, bytes: Uint8Array): Promise<ProviderKeySecret> =>
  providerKeySecret.parse(await open(keys, contextOf(id), bytes));
