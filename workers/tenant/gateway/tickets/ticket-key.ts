/**
 * The key by which the Worker vouches for users to the gateway. It never enters the container. It is replaced with the gateway's token, by a
 * restart of the gateway; and with each version of the binding, which a gateway that runs takes over without a restart.
 */
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from "jose";
import {
  FORMER_TICKET_KEY_VARIABLE,
  TICKET_KEY_VARIABLE,
  type TicketKeyOrder,
  ticketKeyAnswer,
} from "#workers/contracts/platform-headers.ts";
import { hex } from "#workers/shared/hex.ts";
import { TICKET_SECONDS } from "./user-tickets.ts";

const KEY = "ticket-key";
const ORIGIN = "ticket-key-origin";
const NEXT = "ticket-key-next";
/** How long a gateway may take to receive an order, in seconds. */
const ORDER_SECONDS = 60;

/** Where the key comes from. */
interface Origin {
  /** Digest of the gateway token that it belongs to. */
  token: string;
  /** Version of the binding that it belongs to. Default: 1. */
  version?: number;
  /** The key before it, public, and until when its tickets are good, in seconds since the epoch. */
  former?: { x: string; until: number };
}

/** Of a Durable Object. */
export interface TicketKeyStorage {
  get<T>(key: string): Promise<T | undefined>;
  put(entries: Record<string, unknown>): Promise<void>;
  delete(key: string): Promise<unknown>;
}

/** What became of a key that is to be replaced: `none` was; `unknown` means that a gateway of an earlier image does not know the order. */
export type HandOver = "none" | "replaced" | "refused" | "unknown";

export interface TicketKeyOptions {
  storage: TicketKeyStorage;
  /** Slug of the tenant. */
  tenant: string;
  /** The gateway's, which cannot be guessed, so that its digest gives nothing away. */
  token: string;
  /** Version of the binding. Default: 1. */
  version?: number | undefined;
  /** Milliseconds since the epoch. Default: `Date.now` */
  now?: () => number;
}

export class TicketKey {
  readonly #o: TicketKeyOptions;
  readonly #version: number;
  #used: Promise<JWK> | undefined;
  #starts = 0;
  #handOver: Promise<HandOver> | undefined;

  constructor(options: TicketKeyOptions) {
    this.#o = options;
    this.#version = options.version ?? 1;
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
   * Starts a gateway with the variables that the keys of tickets have: another key where the token or the version is another one than at the
   * last start.
   *
   * @param start `started` is false when another gateway was running, which has the key before
   */
  async starting<T extends { started: boolean }>(start: (variables: Record<string, string>) => Promise<T>): Promise<T> {
    this.#starts++;
    try {
      await this.#handOver?.catch(() => {});
      return await this.#start(start);
    } finally {
      this.#starts--;
    }
  }

  /**
   * Replaces the key of a gateway that runs where the version of the binding is another one. Calls at one time share one.
   *
   * @param send sends an order to the gateway @throws when the gateway cannot be asked; call again
   */
  handOver(send: (order: string) => Promise<{ status: number; body: string }>): Promise<HandOver> {
    this.#handOver ??= this.#replace(send).finally(() => {
      this.#handOver = undefined;
    });
    return this.#handOver;
  }

  async #start<T extends { started: boolean }>(start: (variables: Record<string, string>) => Promise<T>): Promise<T> {
    const { storage } = this.#o;
    const before = await this.jwk();
    const origin = await storage.get<Origin>(ORIGIN);
    const token = await digestOf(this.#o.token);
    const isNew = origin !== undefined && (origin.token !== token || this.#isOutdated(origin));
    const former = isNew ? { x: publicKeyOf(before), until: this.#now() + TICKET_SECONDS } : origin?.former;
    const key = isNew ? await this.#next() : before;
    const known = former !== undefined && former.until > this.#now() ? { former } : {};
    // Written first: a start that nobody learns of has this key as well.
    await this.#use(key, { token, version: this.#version, ...known });
    const answer = await start({
      [TICKET_KEY_VARIABLE]: publicKeyOf(key),
      ...(known.former && { [FORMER_TICKET_KEY_VARIABLE]: `${known.former.x}.${known.former.until}` }),
    });
    if (isNew && !answer.started) await this.#use(before, origin);
    else await storage.delete(NEXT);
    return answer;
  }

  async #replace(send: (order: string) => Promise<{ status: number; body: string }>): Promise<HandOver> {
    const { storage } = this.#o;
    const origin = await storage.get<Origin>(ORIGIN);
    if (origin === undefined || !this.#isOutdated(origin)) return "none";
    const token = await digestOf(this.#o.token);
    // A gateway with another token is restarted, and gets its key then.
    if (this.#starts > 0 || origin.token !== token) return "none";
    const before = await this.jwk();
    const next = await this.#next();
    const former = { x: publicKeyOf(before), until: this.#now() + TICKET_SECONDS };
    const { status, body } = await send(await this.#order(before, { nextKey: publicKeyOf(next), until: former.until }));
    if (status === 403) return "refused";
    // One that is starting, or overloaded.
    if (status >= 500) throw new Error(`the gateway answered ${status} to the order that replaces its ticket key`);
    if (status !== 200 || confirmed(body) !== publicKeyOf(next)) return "unknown";
    await this.#use(next, { token, version: this.#version, former });
    await storage.delete(NEXT);
    return "replaced";
  }

  async #order(key: JWK, { nextKey, until }: TicketKeyOrder): Promise<string> {
    return new SignJWT({ nextKey, until })
      .setProtectedHeader({ alg: "EdDSA" })
      .setAudience(this.#o.tenant)
      .setExpirationTime(this.#now() + ORDER_SECONDS)
      .sign(await importJWK(key, "EdDSA"));
  }

  #isOutdated({ version = 1 }: Origin): boolean {
    return version !== this.#version;
  }

  #now(): number {
    return Math.floor((this.#o.now ?? Date.now)() / 1000);
  }

  /** The key that comes next. Kept, as a gateway may have it although its answer was lost. */
  async #next(): Promise<JWK> {
    const { storage } = this.#o;
    const stored = await storage.get<JWK>(NEXT);
    if (stored !== undefined) return stored;
    const made = await makeKey();
    await storage.put({ [NEXT]: made });
    return made;
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

/** The key that a gateway confirms. */
function confirmed(body: string): string | undefined {
  try {
    return ticketKeyAnswer.safeParse(JSON.parse(body)).data?.ticketKey;
  } catch {
    return undefined;
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
