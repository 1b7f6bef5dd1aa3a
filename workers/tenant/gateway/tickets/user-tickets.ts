/** Tickets that say to the gateway who asks: see {@link TICKET_HEADER}. */
import { importJWK, type JWK, SignJWT } from "jose";
import type { Role } from "#workers/contracts/roles.ts";

/** How long a ticket is good, in seconds: a gateway reads it when a request or a WebSocket begins. */
export const TICKET_SECONDS = 600;
/** How long before its end a ticket is no longer handed out, in seconds. */
const SPARE_S = 60;
const MOST_TICKETS = 500;

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
  readonly #made = new Map<string, { ticket: string; until: number }>();

  constructor(options: UserTicketsOptions) {
    this.#o = options;
  }

  /**
   * A ticket of a user; the same one while it is good for long enough.
   *
   * @param key gives the private key, {@link TicketKey}'s; this request's, as another's may not be called
   */
  async of({ email, role }: User, key: () => Promise<JWK>): Promise<string> {
    const name = `${role} ${email}`;
    const now = Math.floor((this.#o.now ?? Date.now)() / 1000);
    const known = this.#made.get(name);
    if (known !== undefined && known.until > now) return known.ticket;
    const ticket = await this.#sign({ email, role }, key, now + TICKET_SECONDS);
    this.#made.delete(name);
    const [oldest] = this.#made.keys();
    if (this.#made.size >= MOST_TICKETS && oldest !== undefined) this.#made.delete(oldest);
    this.#made.set(name, { ticket, until: now + TICKET_SECONDS - SPARE_S });
    return ticket;
  }

  async #sign({ email, role }: User, privateKey: () => Promise<JWK>, expires: number): Promise<string> {
    const key = await importJWK(await privateKey(), "EdDSA");
    return new SignJWT({ role })
      .setProtectedHeader({ alg: "EdDSA" })
      .setSubject(email)
      .setAudience(this.#o.tenant)
      .setExpirationTime(expires)
      .sign(key);
  }
}
