/**
 * Tickets that lead a tenant's user from the tenant's host to the console, and keep the user logged in there; and sessions of programs with a
 * service token. They are encrypted with the key of doors' secrets, which the dispatch and dashboard Workers share. A ticket of one tenant or use
 * is not accepted for another.
 */
import { base64url } from "jose";
import * as z from "zod";
import { type DoorKeys, open, seal } from "../doors/door-secrets.ts";

/** A browser follows the redirect at once. */
export const ENTRY_MS = 30_000;
/** The login is checked again afterwards. */
export const SESSION_MS = 15 * 60_000;

const LASTS_MS = { entry: ENTRY_MS, session: SESSION_MS, "view-entry": ENTRY_MS, view: SESSION_MS } as const;

export interface TicketUse {
  /** `entry` and `session`: of a user's browser. `view-entry` and `view`: of an operator's. `program`: of a service token. */
  use: "entry" | "session" | "view-entry" | "view" | "program";
  slug: string;
}

/** Of tickets for `program`, `serviceToken` is the token's client ID: the console checks at each request that the token is still valid. */
export interface TicketHolder {
  email: string;
  serviceToken?: string | undefined;
}

const ticket = z.strictObject({ email: z.string(), serviceToken: z.string().optional(), expiresAt: z.number() });

const contextOf = ({ use, slug }: TicketUse) => `console:${use}:${slug}`;

const sealed = async (keys: DoorKeys, use: TicketUse, content: z.infer<typeof ticket>) =>
  base64url.encode(await seal(keys, contextOf(use), content));

/** @param email of a user whose login was verified */
export function sealTicket(
  keys: DoorKeys,
  use: TicketUse & { use: keyof typeof LASTS_MS },
  email: string,
  now = Date.now(),
): Promise<string> {
  return sealed(keys, use, { email, expiresAt: now + LASTS_MS[use.use] });
}

/**
 * Returns the session of a program with a service token that was verified.
 *
 * @param o.email of the token's user
 * @param o.until when the token expires, in milliseconds since the epoch
 */
export async function sealProgramTicket(
  keys: DoorKeys,
  { slug, email, serviceToken, until }: { slug: string; email: string; serviceToken: string; until: number },
  now = Date.now(),
): Promise<{ token: string; expiresAt: number }> {
  const expiresAt = Math.min(until, now + SESSION_MS);
  return { token: await sealed(keys, { use: "program", slug }, { email, serviceToken, expiresAt }), expiresAt };
}

/** Returns whose ticket it is; undefined for a ticket that has expired, or is not one of this use. */
export async function openTicket(
  keys: DoorKeys,
  use: TicketUse,
  text: string,
  now = Date.now(),
): Promise<TicketHolder | undefined> {
  let opened: unknown;
  try {
    opened = await open(keys, contextOf(use), base64url.decode(text));
  } catch {
    return undefined;
  }
  const { expiresAt, ...holder } = ticket.parse(opened);
  return expiresAt > now ? holder : undefined;
}
