import type * as z from "zod";
import type { AccessApplicationRecord } from "../cloudflare/kinds/access/records.ts";
import { type Claims, verifyToken } from "./application-token.ts";
import { normalHost } from "./applications.ts";
import {
  AUTHORIZED_PATH,
  BROWSER_COOKIE,
  cookieValues,
  emailAddress,
  isFromOwnPages,
  LOGIN_PATH,
  LOGOUT_PATH,
  loginRequest,
  nextWithin,
  setCookie,
  TOKEN_COOKIE,
} from "./login.ts";
import { OneTimeTokens } from "./one-time-tokens.ts";
import { loggedOutPage, loginPage, messagePage, refusedPage } from "./pages.ts";
import type { SigningKeys } from "./signing-keys.ts";

export interface Gate {
  issuer: string;
  keys: SigningKeys;
  find(host: string, path: string): AccessApplicationRecord | undefined | "ambiguous";
  /** Whether everyone passes without identity. */
  isOpen(application: AccessApplicationRecord): boolean;
  admits(application: AccessApplicationRecord, email: string): boolean;
  /** Returns an application token for the headers of a service token that a Service Auth policy admits. */
  serviceToken(application: AccessApplicationRecord, headers: Headers): Promise<string | undefined>;
  /** Returns a token for an email address that policy admits. */
  token(application: AccessApplicationRecord, email: string): Promise<{ jwt: string; seconds: number } | undefined>;
}

const MAX_FORM_BYTES = 10_000;

export class AccessPages {
  readonly #gate: Gate;
  readonly #tokens = new OneTimeTokens();
  readonly #team: URL;

  constructor(gate: Gate) {
    this.#gate = gate;
    this.#team = new URL(gate.issuer);
  }

  async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (url.pathname === "/cdn-cgi/access/certs" && isRead) {
      return Response.json(this.#gate.keys.published(), {
        headers: { "cache-control": "no-store", "access-control-allow-origin": "*" },
      });
    }
    if (url.pathname === LOGOUT_PATH && isRead) return loggedOutPage(url.hostname, "/", setCookie(TOKEN_COOKIE, "", 0));
    if (normalHost(url.hostname) === this.#team.hostname) {
      if (url.pathname.startsWith(LOGIN_PATH) && isRead) return this.#showLogin(url);
      if (url.pathname.startsWith(LOGIN_PATH) && request.method === "POST") return this.#logIn(url, request);
      if (url.pathname === "/") return messagePage("Access", "Open a protected host to log in to it.", 200);
    } else if (isRead) {
      if (url.pathname === AUTHORIZED_PATH) return this.#finish(url, request.headers);
      if (url.pathname === "/cdn-cgi/access/get-identity") return this.#identity(url, request.headers);
    }
    return messagePage("Not found", "Access has no such page.", 404);
  }

  async #showLogin(url: URL, fault?: string, form?: z.infer<typeof loginRequest>): Promise<Response> {
    const host = normalHost(url.pathname.slice(LOGIN_PATH.length));
    const origin = this.#originOf(host);
    const parameters = loginRequest.safeParse(form ?? Object.fromEntries(url.searchParams));
    const next =
      origin === undefined || !parameters.success ? undefined : nextWithin(origin, parameters.data.redirect_url);
    const application = next === undefined ? undefined : this.#find(host, next.pathname);
    if (origin === undefined || next === undefined || !parameters.success || application === undefined) {
      return messagePage(
        "Not found",
        "No protected host has this login page. Open the host that you want to log in to.",
        404,
      );
    }
    const { browser } = parameters.data;
    const path = `${next.pathname}${next.search}`;
    return loginPage({ host, name: application.name, action: url.pathname, next: path, browser, fault }, origin);
  }

  async #logIn(url: URL, request: Request): Promise<Response> {
    if (!isFromOwnPages(url, request.headers))
      return messagePage(
        "Refused",
        "This form comes from a page of another host. Open the host again and log in there.",
        403,
      );
    const form = await readForm(request);
    if (form === undefined) return messagePage("Refused", "The form is too large.", 413);
    const fields = new URLSearchParams(form);
    const parameters = loginRequest.safeParse(Object.fromEntries(fields));
    const host = normalHost(url.pathname.slice(LOGIN_PATH.length));
    const origin = this.#originOf(host);
    if (!parameters.success || origin === undefined) return this.#showLogin(url);
    const email = emailAddress.safeParse(fields.get("email"));
    if (!email.success)
      return this.#showLogin(url, "This is not an email address. Enter one such as name@example.com.", parameters.data);

    const next = nextWithin(origin, parameters.data.redirect_url);
    const application = this.#find(host, next.pathname);
    if (application === undefined) return this.#showLogin(url);
    if (!this.#gate.admits(application, email.data)) return refusedPage(email.data, host, `${origin}/`);
    const { browser } = parameters.data;
    const token = this.#tokens.issue({ email: email.data, host, browser, next: `${next.pathname}${next.search}` });
    return redirectResponse(`${origin}${AUTHORIZED_PATH}?${new URLSearchParams({ token })}`);
  }

  async #finish(url: URL, headers: Headers): Promise<Response> {
    const browsers = cookieValues(headers, BROWSER_COOKIE);
    const login = this.#tokens.redeem(url.searchParams.get("token") ?? "", normalHost(url.hostname), browsers);
    if (login === undefined) {
      const text = "This link was used, has expired, or belongs to another browser. Open the page again.";
      return messagePage("Login not finished", text, 403);
    }
    const next = nextWithin(url.origin, login.next);
    const application = this.#find(login.host, next.pathname);
    if (application === undefined) return redirectResponse(next.href);
    const token = await this.#gate.token(application, login.email);
    if (token === undefined) return refusedPage(login.email, url.hostname, LOGOUT_PATH);
    return redirectResponse(next.href, setCookie(TOKEN_COOKIE, token.jwt, token.seconds));
  }

  async #identity(url: URL, headers: Headers): Promise<Response> {
    const claims = await this.#claims(url, headers);
    if (claims === undefined)
      return Response.json({ err: "no app token set" }, { status: 401, headers: { "cache-control": "no-store" } });
    const { email, sub, iat } = claims;
    const identity = { id: sub, name: email, email, user_uuid: sub, idp: { id: "", type: "local" }, iat };
    return Response.json(identity, { headers: { "cache-control": "no-store" } });
  }

  async #claims(url: URL, headers: Headers): Promise<Claims | undefined> {
    const application = this.#find(url.hostname, "/");
    if (application === undefined) return undefined;
    for (const token of cookieValues(headers, TOKEN_COOKIE)) {
      const claims = await verifyToken(this.#gate.keys, this.#gate.issuer, application.aud, token);
      if (claims !== undefined) return claims;
    }
    return undefined;
  }

  #find(host: string, path: string): AccessApplicationRecord | undefined {
    const found = this.#gate.find(host, path);
    return found === "ambiguous" ? undefined : found;
  }

  /** Returns the origin of a known host, with the team's scheme and port. */
  #originOf(host: string): string | undefined {
    const port = this.#team.port === "" ? "" : `:${this.#team.port}`;
    const origin = `${this.#team.protocol}//${host}${port}`;
    return /^[a-z0-9.-]+$/.test(host) && URL.canParse(origin) ? origin : undefined;
  }
}

/** Returns undefined when the body is too large, whatever its declared length. */
async function readForm(request: Request): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_FORM_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function redirectResponse(location: string, cookie?: string): Response {
  const headers = new Headers({ location, "cache-control": "no-store", "referrer-policy": "no-referrer" });
  if (cookie !== undefined) headers.set("set-cookie", cookie);
  return new Response(null, { status: 302, headers });
}
