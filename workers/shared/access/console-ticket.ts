/**
 * Tickets that lead a tenant's user from the tenant's host to the console, and keep the user logged in there. They are encrypted with the key of
 * doors' secrets, which the dispatch and dashboard Workers share. A ticket of one tenant or use is not accepted for another.
 */
import { base64url } from "jose";
import * as z from "zod";
import { type DoorKeys, open, seal } from "../doors/door-secrets.ts";

/** A browser follows the redirect at once. */
export const ENTRY_MS = 30_000;
/** The login is checked again afterwards. */
export const SESSION_MS = 15 * 60_000;

export interface TicketUse {
  use: "entry" | "session";
  slug: string;
}

const ticket = z.strictObject({ email: z.string(), expiresAt: z.number() });

const contextOf = ({ use, slug }: TicketUse) => `console:${use}:${slug}`;

/** @param email of a user whose login was verified */
export async function sealTicket(keys: DoorKeys, use: TicketUse, email: string, now = Date.now()): Promise<string> {
  const expiresAt = now + (use.use === "entry" ? ENTRY_MS : SESSION_MS);
  return base64url.encode(await seal(keys, contextOf(use), { email, expiresAt } satisfies z.infer<typeof ticket>));
}

/** Returns the user's address; undefined for a ticket that has expired, or is not one of this use. */
export async function openTicket(
  keys: DoorKeys,
  use: TicketUse,
  text: string,
  now = Date.now(),
): Promise<string | undefined> {
  let opened: unknown;
  try {
    opened = await open(keys, contextOf(use), base64url.decode(text));
  } catch {
    return undefined;
  }
  const { email, expiresAt } = ticket.parse(opened);
  return expiresAt > now ? email : undefined;
}
