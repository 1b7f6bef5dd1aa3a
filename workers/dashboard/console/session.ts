/** The login of a tenant's user at the console: a cookie for one tenant, from a ticket of the dispatch Worker. */
import { parse, serialize } from "hono/utils/cookie";
import { consoleErrors } from "#domain/errors/api/console.ts";
import { openTicket, SESSION_MS, sealTicket, type TicketUse } from "#workers/shared/access/console-ticket.ts";
import { bearerToken } from "#workers/shared/bearer-token.ts";
import { doorKeysOf, type Settings } from "../env.ts";
import type { TenantLogin } from "../http/connection.ts";
import { failure } from "../http/failure.tsx";

/** The prefix keeps hosts of tenants from setting it. Browsers refuse it without TLS, as on one machine. */
function cookieName(slug: string, isSecure: boolean): string {
  return `${isSecure ? "__Host-" : ""}tenantry-console-${slug}`;
}

export const isSecureUrl = (url: string) => new URL(url).protocol === "https:";

/** Who opens the console in a browser: a user of the tenant, or a platform root who views it. */
export interface BrowserLogin {
  email: string;
  isViewer: boolean;
}

/** Returns who has an entry ticket; undefined if it has expired or is not valid. */
export const enteringUser = (settings: Settings, slug: string, ticket: string): Promise<BrowserLogin | undefined> =>
  openEither(settings, slug, ticket, { ofUser: "entry", ofViewer: "view-entry" });

async function openEither(
  settings: Settings,
  slug: string,
  ticket: string,
  { ofUser, ofViewer }: { ofUser: TicketUse["use"]; ofViewer: TicketUse["use"] },
): Promise<BrowserLogin | undefined> {
  for (const use of [ofUser, ofViewer]) {
    const holder = await openTicket(doorKeysOf(settings), { use, slug }, ticket);
    if (holder !== undefined) return { email: holder.email, isViewer: use === ofViewer };
  }
  return undefined;
}

/** Returns the cookie of a session. */
export async function sessionCookie(
  settings: Settings,
  slug: string,
  { email, isViewer }: BrowserLogin,
  url: string,
): Promise<string> {
  const value = await sealTicket(doorKeysOf(settings), { use: isViewer ? "view" : "session", slug }, email);
  return cookieOf(slug, url, { value, maxAge: SESSION_MS / 1000 });
}

/** Returns the cookie that ends a session in the browser. */
export const endedSessionCookie = (slug: string, url: string): string => cookieOf(slug, url, { value: "", maxAge: 0 });

/** @param content.maxAge in seconds */
function cookieOf(slug: string, url: string, { value, maxAge }: { value: string; maxAge: number }): string {
  const secure = isSecureUrl(url);
  // After a login from a link in a mail, `Strict` would withhold it.
  return serialize(cookieName(slug, secure), value, { path: "/", secure, httpOnly: true, sameSite: "Lax", maxAge });
}

/** Returns who is logged in; undefined without a valid session. */
export async function sessionUser(
  settings: Settings,
  slug: string,
  request: Request,
): Promise<BrowserLogin | undefined> {
  const name = cookieName(slug, isSecureUrl(request.url));
  const value = parse(request.headers.get("cookie") ?? "", name)[name];
  if (value === undefined) return undefined;
  return openEither(settings, slug, value, { ofUser: "session", ofViewer: "view" });
}

/**
 * Returns the user who is logged in, by the cookie of a browser or the session of a program.
 *
 * @throws Failure `authentication_required`
 */
export async function requireSession(settings: Settings, slug: string, request: Request): Promise<TenantLogin> {
  const login = await sessionUser(settings, slug, request);
  if (login !== undefined) return { slug, ...login };
  const token = bearerToken(request.headers) ?? "";
  const holder = await openTicket(doorKeysOf(settings), { use: "program", slug }, token);
  if (holder === undefined) throw failure(consoleErrors.console_session_missing);
  return { slug, ...holder };
}
