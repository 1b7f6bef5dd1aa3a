/**
 * The private key that signs user tickets. It never enters the container. A new gateway token replaces it, with a restart of the gateway. So
 * does a new version of the binding, which a running gateway accepts without a restart.
 */
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from "jose";
import {
  FORMER_TICKET_KEY_VARIABLE,
  TICKET_KEY_VARIABLE,
  type TicketKeyOrder,
  ticketKeyAnswer,
} from "#workers/contracts/platform-headers.ts";
import { sha256Hex } from "#workers/shared/hex.ts";
import { TICKET_SECONDS } from "./user-tickets.ts";

const KEY = "ticket-key";
const ORIGIN = "ticket-key-origin";
const NEXT = "ticket-key-next";
/** Lifetime of an order, in seconds. */
const ORDER_SECONDS = 60;

/** What the key was created for. */
interface Origin {
  /** Digest of the gateway token. */
  token: string;
  /** Version of the binding. Default: 1. */
  version?: number;
  /** The former public key, and when its tickets expire, in seconds since the epoch. */
  former?: { x: string; until: number };
}

/** The part of a Durable Object's storage that is used. */
export interface TicketKeyStorage {
  get<T>(key: string): Promise<T | undefined>;
  put(entries: Record<string, unknown>): Promise<void>;
  delete(key: string): Promise<unknown>;
}

/** Result of a rotation. `none`: none was due. `unknown`: the gateway is of an earlier image, which does not support the order. */
export type RotationOutcome = "none" | "replaced" | "refused" | "unknown";

/** Sends a rotation order to the gateway. */
type SendOrder = (order: string) => Promise<{ status: number; body: string }>;
/** Starts a gateway with environment variables. `started` is false when another gateway was running, which keeps its key. */
type Start<T> = (variables: Record<string, string>) => Promise<T>;

export interface TicketKeyOptions {
  storage: TicketKeyStorage;
  /** Slug of the tenant. */
  tenant: string;
  /** The gateway's token. It cannot be guessed, so its digest discloses nothing. */
  token: string;
  /** Version of the binding. Default: 1. */
  version?: number | undefined;
  /** Milliseconds since the epoch. Default: `Date.now` */
  now?: () => number;
}

export class TicketKey {
  readonly #o: TicketKeyOptions;
  readonly #version: number;
  #current: Promise<JWK> | undefined;
  #starts = 0;
  #rotation: Promise<RotationOutcome> | undefined;

  constructor(options: TicketKeyOptions) {
    this.#o = options;
    this.#version = options.version ?? 1;
  }

  /** Returns the private key. */
  jwk(): Promise<JWK> {
    this.#current ??= this.#loadOrCreate(KEY).catch((error) => {
      this.#current = undefined;
      throw error;
    });
    return this.#current;
  }

  /** Signs an order, which the running gateway accepts once. */
  async sign(claims: JWTPayload): Promise<string> {
    return this.#order(await this.jwk(), { ...claims, jti: crypto.randomUUID() });
  }

  /** Starts a gateway with the public key in its variables: a new key when the token or the version changed since the last start. */
  async startWith<T extends { started: boolean }>(start: Start<T>): Promise<T> {
    this.#starts++;
    try {
      await this.#rotation?.catch(() => {});
      return await this.#start(start);
    } finally {
      this.#starts--;
    }
  }

  /** Replaces a running gateway's key when the version changed. Concurrent callers share one rotation. @throws when the gateway cannot be reached; retry then */
  rotate(send: SendOrder): Promise<RotationOutcome> {
    this.#rotation ??= this.#rotate(send).finally(() => {
      this.#rotation = undefined;
    });
    return this.#rotation;
  }

  async #start<T extends { started: boolean }>(start: Start<T>): Promise<T> {
    const { storage } = this.#o;
    const before = await this.jwk();
    const origin = await storage.get<Origin>(ORIGIN);
    const token = await sha256Hex(this.#o.token);
    const isNew = origin !== undefined && (origin.token !== token || this.#isOutdated(origin));
    const former = isNew ? { x: publicKeyOf(before), until: this.#now() + TICKET_SECONDS } : origin?.former;
    const key = isNew ? await this.#loadOrCreate(NEXT) : before;
    const known = former !== undefined && former.until > this.#now() ? { former } : {};
    // Stored first, so that it is correct if this object does not see the end of the start.
    await this.#use(key, { token, version: this.#version, ...known });
    const answer = await start({
      [TICKET_KEY_VARIABLE]: publicKeyOf(key),
      ...(known.former && { [FORMER_TICKET_KEY_VARIABLE]: `${known.former.x}.${known.former.until}` }),
    });
    if (isNew && !answer.started) await this.#use(before, origin);
    else await storage.delete(NEXT);
    return answer;
  }

  async #rotate(send: SendOrder): Promise<RotationOutcome> {
    const { storage } = this.#o;
    const origin = await storage.get<Origin>(ORIGIN);
    if (origin === undefined || !this.#isOutdated(origin)) return "none";
    const token = await sha256Hex(this.#o.token);
    // A gateway with another token is restarted, which replaces its key too.
    if (this.#starts > 0 || origin.token !== token) return "none";
    const before = await this.jwk();
    // Stored, since the gateway may have it although its response was lost.
    const next = await this.#loadOrCreate(NEXT);
    const former = { x: publicKeyOf(before), until: this.#now() + TICKET_SECONDS };
    const order: TicketKeyOrder = { nextKey: publicKeyOf(next), until: former.until };
    const { status, body } = await send(await this.#order(before, { ...order }));
    if (status === 403) return "refused";
    // The gateway is starting or overloaded.
    if (status >= 500)
      throw new Error(`The gateway responded with ${status} to the order that replaces its ticket key.`);
    if (status !== 200 || confirmedKey(body) !== publicKeyOf(next)) return "unknown";
    await this.#use(next, { token, version: this.#version, former });
    await storage.delete(NEXT);
    return "replaced";
  }

  async #order(key: JWK, claims: JWTPayload): Promise<string> {
    return new SignJWT(claims)
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

  async #use(key: JWK, origin: Origin): Promise<void> {
    await this.#o.storage.put({ [KEY]: key, [ORIGIN]: origin });
    this.#current = Promise.resolve(key);
  }

  async #loadOrCreate(name: string): Promise<JWK> {
    const stored = await this.#o.storage.get<JWK>(name);
    if (stored !== undefined) return stored;
    const { privateKey } = await generateKeyPair("EdDSA", { extractable: true });
    const key = await exportJWK(privateKey);
    await this.#o.storage.put({ [name]: key });
    return key;
  }
}

function confirmedKey(body: string): string | undefined {
  try {
    return ticketKeyAnswer.safeParse(JSON.parse(body)).data?.ticketKey;
  } catch {
    return undefined;
  }
}

/** Returns the public key as gateways receive it: raw, base64url. */
function publicKeyOf({ x }: JWK): string {
  if (x === undefined) throw new Error("The ticket key has no public part.");
  return x;
}
