import { decodeProtectedHeader, type JSONWebKeySet } from "jose";
import { KeySet, KeysUnavailable } from "#workers/shared/access/key-set.ts";
import { FlightTimeout, type KeepAlive } from "#workers/shared/single-flight.ts";

/** Public keys of vendors that sign webhooks with JWTs. The URLs are those of the kinds of webhooks. */
export class IssuerKeys {
  readonly #sets = new Map<string, KeySet>();

  /** Returns a function that returns an issuer's keys, with the key that the request's token names. It throws KeysUnavailable. */
  of(headers: Headers, keepAlive: KeepAlive): (url: string) => Promise<JSONWebKeySet> {
    return async (url) => {
      let set = this.#sets.get(url);
      if (set === undefined) {
        set = new KeySet(url);
        this.#sets.set(url, set);
      }
      try {
        return await set.including(keyIdOf(headers), keepAlive);
      } catch (error) {
        throw error instanceof FlightTimeout ? new KeysUnavailable(error.message) : error;
      }
    };
  }
}

function keyIdOf(headers: Headers): string | undefined {
  try {
    return decodeProtectedHeader(headers.get("authorization")?.replace(/^Bearer /i, "") ?? "").kid;
  } catch {
    return undefined;
  }
}
