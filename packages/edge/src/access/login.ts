/** Redirects from an application to the login page and back with a token. */
import { randomBytes } from "node:crypto";
import * as z from "zod";

/** Limit between the login request and the return, in seconds. */
const BROWSER_COOKIE_S = 3600;
const BROWSER_VALUE = /^[\w-]{43}$/;

export const LOGIN_PATH = "/cdn-cgi/access/login/";
export const AUTHORIZED_PATH = "/cdn-cgi/access/authorized";
export const LOGOUT_PATH = "/cdn-cgi/access/logout";

/** Parameters of the login page, in its query and its form. */
export const loginRequest = z.object({
  redirect_url: z.string().default("/"),
  browser: z.string().regex(BROWSER_VALUE),
});

/** In lower case. */
export const emailAddress = z.string().trim().toLowerCase().pipe(z.email().max(254));

export const TOKEN_COOKIE = "CF_Authorization";
/** Identifies the browser that requested a login. */
export const BROWSER_COOKIE = "CF_AppSession";

/** Returns every value of a cookie in order: a sibling host can set its own before the real one. */
export function cookieValues(headers: Headers, name: string): string[] {
  return (headers.get("cookie") ?? "").split(/[;,]\s*/).flatMap((pair) => {
    const at = pair.indexOf("=");
    return pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
}

/** @param seconds lifetime; 0 deletes the cookie */
export function setCookie(name: string, value: string, seconds: number): string {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}`;
}

/** Redirects a browser without a token to the login page. Cloudflare's headers name the application. */
export function redirectToLogin(issuer: string, url: URL, headers: Headers, audience: string): Response {
  const known = cookieValues(headers, BROWSER_COOKIE).find((value) => BROWSER_VALUE.test(value));
  const browser = known ?? randomBytes(32).toString("base64url");
  const query = new URLSearchParams({ kid: audience, redirect_url: `${url.pathname}${url.search}`, browser });
  return new Response(null, {
    status: 302,
    headers: {
      location: `${issuer}${LOGIN_PATH}${url.hostname}?${query}`,
      "set-cookie": setCookie(BROWSER_COOKIE, browser, BROWSER_COOKIE_S),
      "cache-control": "no-store",
      "cf-access-aud": audience,
      "cf-access-domain": url.host,
    },
  });
}

/** Response to a client without a token when the application does not redirect. */
export function unauthorizedResponse(url: URL, audience: string): Response {
  return new Response("Unauthorized: log in at Cloudflare Access and send its token.\n", {
    status: 401,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
      "www-authenticate": `Cloudflare-Access domain="${url.host}", aud="${audience}"`,
      "cf-access-aud": audience,
      "cf-access-domain": url.host,
    },
  });
}

/** Returns the path and query within `origin`; the root when `wanted` leads elsewhere. */
export function nextWithin(origin: string, wanted: string): URL {
  const root = new URL("/", origin);
  if (!wanted.startsWith("/") || !URL.canParse(wanted, root)) return root;
  const next = new URL(wanted, root);
  return next.origin === root.origin ? next : root;
}

/** Browsers send cookies with requests of sibling hosts, which are one site, so changes and WebSockets need the same origin or none. */
export function isFromOwnPages(url: URL, headers: Headers): boolean {
  const origin = headers.get("origin");
  if (origin !== null) return URL.canParse(origin) && new URL(origin).host === url.host;
  return ["same-origin", "none", null].includes(headers.get("sec-fetch-site"));
}
