import { sealTicket } from "#workers/shared/access/console-ticket.ts";
import { DOMAIN, DOORS_KEY } from "./start-dashboard.ts";

/**
 * Returns the headers of a browser whose user is logged in at the console of a tenant.
 *
 * @param slug of the tenant that the cookie names
 * @param email of the user
 * @param o.at slug of the tenant where the user logged in. Default: `slug`
 * @param o.now when, in milliseconds since the epoch
 */
export async function consoleLogin(
  slug: string,
  email: string,
  { at = slug, now }: { at?: string; now?: number | undefined } = {},
): Promise<Record<string, string>> {
  const ticket = await sealTicket({ used: DOORS_KEY }, { use: "session", slug: at }, email, now);
  return { cookie: `__Host-tenantry-console-${slug}=${ticket}`, origin: `https://dash.${DOMAIN}:8443` };
}

/** Returns the ticket with which the tenant's host sends a user to the console. */
export const entryTicket = (slug: string, email: string): Promise<string> =>
  sealTicket({ used: DOORS_KEY }, { use: "entry", slug }, email);
