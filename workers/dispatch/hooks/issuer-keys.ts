import type { JSONWebKeySet } from "jose";
import { KeySet } from "#workers/shared/access/key-set.ts";
import type { KeepAlive } from "#workers/shared/single-flight.ts";

/** Public keys of vendors that sign webhooks with JWTs. The URLs are those of the kinds of webhooks. */
export class IssuerKeys {
  readonly #sets = new Map<string, KeySet>();

  /** Returns the keys of an issuer, and newer ones if none has this ID. @throws KeysUnavailable */
  find(url: string, keyId: string, keepAlive: KeepAlive): Promise<JSONWebKeySet> {
    let set = this.#sets.get(url);
    if (set === undefined) {
      set = new KeySet(url);
      this.#sets.set(url, set);
    }
    return set.including(keyId, keepAlive);
  }
}
