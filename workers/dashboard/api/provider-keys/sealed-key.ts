import { KEY_HINT_LENGTH, type KeyProvider } from "#domain/provider-keys/providers.ts";
import { sealProviderKey } from "#workers/shared/doors/provider-key.ts";
import { doorKeysOf, type Settings } from "../../env.ts";

/** Returns a key as it is stored: encrypted, with its last characters. */
export async function sealedKey(settings: Settings, provider: KeyProvider, key: string) {
  const id = crypto.randomUUID();
  const credentials = Buffer.from(await sealProviderKey(doorKeysOf(settings), id, { provider, key }));
  return { id, credentials, keyHint: key.slice(-KEY_HINT_LENGTH) };
}
