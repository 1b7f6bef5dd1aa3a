/** The key by which the Worker vouches for users to the gateway. It is made once a tenant and never enters the container. */
import { exportJWK, generateKeyPair, type JWK } from "jose";

const KEY = "ticket-key";

export class TicketKey {
  readonly #storage: DurableObjectStorage;
  #made: Promise<JWK> | undefined;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** The private key. */
  jwk(): Promise<JWK> {
    this.#made ??= this.#load().catch((error) => {
      this.#made = undefined;
      throw error;
    });
    return this.#made;
  }

  /** The public key as gateways get it: raw, base64url. */
  async publicKey(): Promise<string> {
    const { x } = await this.jwk();
    if (x === undefined) throw new Error("the ticket key has no public part");
    return x;
  }

  async #load(): Promise<JWK> {
    const stored = await this.#storage.get<JWK>(KEY);
    if (stored !== undefined) return stored;
    const { privateKey } = await generateKeyPair("EdDSA", { extractable: true });
    const made = await exportJWK(privateKey);
    await this.#storage.put(KEY, made);
    return made;
  }
}
