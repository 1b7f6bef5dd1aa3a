/** Tickets that identify the user of a request to the gateway: see {@link TICKET_HEADER}. */
import { importJWK, type JWK, SignJWT } from "jose";
import type { Role } from "#workers/contracts/roles.ts";

/** Lifetime of a ticket, in seconds. A gateway reads it when a request or a WebSocket begins. */
export const TICKET_SECONDS = 600;
/** Tickets are replaced this long before they expire, in seconds. */
const MARGIN_SECONDS = 60;
const MAX_TICKETS = 500;

export interface User {
  /** E-mail address. */
  email: string;
  role: Role;
}

export interface UserTicketsOptions {
  /** Slug of the tenant. */
  tenant: string;
  /** Milliseconds since the epoch. Default: `Date.now` */
  now?: () => number;
}

export class UserTickets {
  readonly #o: UserTicketsOptions;
  readonly #cached = new Map<string, { ticket: string; until: number }>();

  constructor(options: UserTicketsOptions) {
    this.#o = options;
  }

  /**
   * Returns a user's ticket, cached until shortly before it expires.
   *
   * @param key returns the private key. It is called within this call only
   */
  async get({ email, role }: User, key: () => Promise<JWK>): Promise<string> {
    const name = `${role} ${email}`;
    const now = Math.floor((this.#o.now ?? Date.now)() / 1000);
    const cached = this.#cached.get(name);
    if (cached !== undefined && cached.until > now) return cached.ticket;
    const ticket = await new SignJWT({ role })
      .setProtectedHeader({ alg: "EdDSA" })
      .setSubject(email)
      .setAudience(this.#o.tenant)
      .setExpirationTime(now + TICKET_SECONDS)
      .sign(await importJWK(await key(), "EdDSA"));
    this.#cached.delete(name);
    const [oldest] = this.#cached.keys();
    if (this.#cached.size >= MAX_TICKETS && oldest !== undefined) this.#cached.delete(oldest);
    this.#cached.set(name, { ticket, until: now + TICKET_SECONDS - MARGIN_SECONDS });
    return ticket;
  }
}
