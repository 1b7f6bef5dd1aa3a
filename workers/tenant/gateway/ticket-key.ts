/**
 * The key by which the Worker vouches for users to the gateway. It never enters the container. Each gateway token has another one, so that
 * both are rotated at once, by a restart of the gateway.
 */
import { exportJWK, generateKeyPair, type JWK } from "jose";
import { FORMER_TICKET_KEY_VARIABLE, TICKET_KEY_VARIABLE } from "../../contracts/platform-headers.ts";
import { hex } from "../../shared/hex.ts";
import { TICKET_SECONDS } from "./user-tickets.ts";

const KEY = "ticket-key";
const ORIGIN = "ticket-key-origin";

/** Where the key comes from. */
interface Origin {
  /** Digest of the gateway token that it belongs to. */
  token: string;
  /** The key before it, public, and until when its tickets are good, in seconds since the epoch. */
  former?: { x: string; until: number };
}

/** Of a Durable Object. */
export interface TicketKeyStorage {
  get<T>(key: string): Promise<T | undefined>;
  put(entries: Record<string, unknown>): Promise<void>;
}

export interface TicketKeyOptions {
  storage: TicketKeyStorage;
  /** The gateway's, which cannot be guessed, so that its digest gives nothing away. */
  token: string;
  /** Milliseconds since the epoch. Default: `Date.now` */
  now?: () => number;
}

export class TicketKey {
  readonly #o: TicketKeyOptions;
  #used: Promise<JWK> | undefined;

  constructor(options: TicketKeyOptions) {
    this.#o = options;
  }

  /** The private key. */
  jwk(): Promise<JWK> {
    this.#used ??= this.#load().catch((error) => {
      this.#used = undefined;
      throw error;
    });
    return this.#used;
  }

  /**
   * Starts a gateway with the variables that the keys of tickets have: of a gateway with another token than the last one, another key.
   *
   * @param start `started` is false when another gateway was running, which has the key before
   */
  async starting<T extends { started: boolean }>(start: (variables: Record<string, string>) => Promise<T>): Promise<T> {
    const { storage } = this.#o;
    const before = await this.jwk();
    const origin = await storage.get<Origin>(ORIGIN);
    const token = await digestOf(this.#o.token);
    const isNew = origin !== undefined && origin.token !== token;
    const now = Math.floor((this.#o.now ?? Date.now)() / 1000);
    const former = isNew ? { x: publicKeyOf(before), until: now + TICKET_SECONDS } : origin?.former;
    const key = isNew ? await makeKey() : before;
    const known = former !== undefined && former.until > now ? { former } : {};
    // Written first: a start that nobody learns of has this key as well.
    await this.#use(key, { token, ...known });
    const answer = await start({
      [TICKET_KEY_VARIABLE]: publicKeyOf(key),
      ...(known.former && { [FORMER_TICKET_KEY_VARIABLE]: `${known.former.x}.${known.former.until}` }),
    });
    if (isNew && !answer.started) await this.#use(before, origin);
    return answer;
  }

  async #use(key: JWK, origin: Origin): Promise<void> {
    await this.#o.storage.put({ [KEY]: key, [ORIGIN]: origin });
    this.#used = Promise.resolve(key);
  }

  async #load(): Promise<JWK> {
    const stored = await this.#o.storage.get<JWK>(KEY);
    if (stored !== undefined) return stored;
    const made = await makeKey();
    await this.#o.storage.put({ [KEY]: made });
    return made;
  }
}

async function makeKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair("EdDSA", { extractable: true });
  return exportJWK(privateKey);
}

/** The public key as gateways get it: raw, base64url. */
function publicKeyOf({ x }: JWK): string {
  if (x === undefined) throw new Error("the ticket key has no public part");
  return x;
}

async function digestOf(token: string): Promise<string> {
  return hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token)));
}
