/** Emulates Cloudflare Access: protects the hosts of stored applications by their policies, and signs the tokens that Workers verify. */
import type { Log } from "@tenantry/std/log";
import type { Store } from "../account/store.ts";
import { sha256 } from "../cloudflare/kinds/access/service-tokens.ts";
import type { Weather } from "../weather/weather.ts";
import { AccessPages, type Gate } from "./access-pages.ts";
import { AccessAccount } from "./account.ts";
import { sessionSeconds, signToken, verifyToken } from "./application-token.ts";
import { findApplication, normalHost, type Precedence } from "./applications.ts";
import {
  cookieValues,
  emailAddress,
  isFromOwnPages,
  LOGOUT_PATH,
  redirectToLogin,
  TOKEN_COOKIE,
  unauthorizedResponse,
} from "./login.ts";
import { messagePage, refusedPage } from "./pages.ts";
import { policyEvaluator } from "./policies.ts";
import { SigningKeys } from "./signing-keys.ts";

const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];

export type Decision = { kind: "pass"; jwt?: string } | { kind: "respond"; response: Response };

export interface Access {
  /** Serves the pages of the team host, and `/cdn-cgi/access/*` of every host. */
  fetch(request: Request): Promise<Response>;
  /** Decides a request to an application's host, including upgrades. */
  authorize(request: { method: string; url: URL; headers: Headers }): Promise<Decision>;
  /** Returns a signed application token. @throws Error for an unprotected host, or an address that policy refuses */
  issue(email: string, hostname: string): Promise<string>;
  /** Signs with a new key. Tokens of the previous key stay valid. */
  rotateKeys(): Promise<void>;
}

/** @param options.issuer origin of the team's host @param options.precedence of applications that match one URL. Default: `path` */
export async function createAccess(options: {
  store: Store;
  directory: string;
  issuer: string;
  log: Log;
  precedence?: Precedence;
  /** Default: no faults. */
  weather?: Weather | undefined;
}): Promise<Access> {
  const { issuer, log, precedence } = options;
  const account = new AccessAccount(options.store, options.weather);
  const keys = await SigningKeys.open(options.directory);
  const logged = new Set<string>();
  const { isBypassed, serviceAuthPolicy, admittingPolicy } = policyEvaluator(account, (what) => {
    if (!logged.has(what)) log("access", "not-evaluated", { what });
    logged.add(what);
  });

  const gate: Gate = {
    issuer,
    keys,
    find: (host, path) => findApplication(account.applications(), host, path, precedence),
    isOpen: isBypassed,
    async token(application, email) {
      const policy = admittingPolicy(application, email);
      if (policy === undefined) return undefined;
      const seconds = sessionSeconds(policy.session_duration ?? application.session_duration);
      return { jwt: await signToken(keys, issuer, application.aud, email, seconds), seconds };
    },
    async serviceToken(application, headers) {
      const id = headers.get("cf-access-client-id");
      const secret = headers.get("cf-access-client-secret");
      if (id === null || secret === null) return undefined;
      const token = account.serviceToken(id, sha256(secret));
      const policy = token && serviceAuthPolicy(application, token.id);
      if (policy === undefined) return undefined;
      const seconds = sessionSeconds(policy.session_duration ?? application.session_duration);
      return signToken(keys, issuer, application.aud, { clientId: id }, seconds);
    },
    admits: (application, email) => admittingPolicy(application, email) !== undefined,
  };
  const pages = new AccessPages(gate);

  return {
    fetch: (request) => pages.fetch(request),
    authorize: async (request) => {
      const decision = await authorizeRequest(gate, request);
      if (decision.kind === "respond")
        log("access", "stopped", { host: request.url.host, status: decision.response.status });
      return decision;
    },
    async issue(email, hostname) {
      const host = normalHost(hostname);
      const application = gate.find(host, "/");
      const address = emailAddress.safeParse(email);
      if (!address.success) throw new Error(`"${email}" is not an email address.`);
      if (application === undefined || application === "ambiguous")
        throw new Error(`No Access application protects ${host}.`);
      const token = await gate.token(application, address.data);
      if (token === undefined) throw new Error(`${address.data} is refused by the Access policies of ${host}.`);
      return token.jwt;
    },
    rotateKeys: () => keys.rotate(),
  };
}

async function authorizeRequest(
  gate: Gate,
  request: { method: string; url: URL; headers: Headers },
): Promise<Decision> {
  const { method, url, headers } = request;
  const application = gate.find(url.hostname, url.pathname);
  if (application === undefined) return { kind: "pass" };
  if (application === "ambiguous") {
    const text = "The path has escapes that change its meaning. Send it without them.";
    return respondWith(await messagePage("Bad request", text, 400));
  }
  if (gate.isOpen(application)) return { kind: "pass" };
  const service = await gate.serviceToken(application, headers);
  if (service !== undefined) return { kind: "pass", jwt: service };

  let refused: string | undefined;
  for (const { token, byCookie } of sentTokens(headers)) {
    const claims = await verifyToken(gate.keys, gate.issuer, application.aud, token);
    if (claims === undefined) continue;
    if (!gate.admits(application, claims.email)) {
      refused ??= claims.email;
      continue;
    }
    const changes =
      !SAFE_METHODS.includes(method.toUpperCase()) || headers.get("upgrade")?.toLowerCase() === "websocket";
    if (byCookie && changes && !isFromOwnPages(url, headers)) {
      return respondWith(await messagePage("Refused", "This request comes from a page of another host.", 403));
    }
    return { kind: "pass", jwt: token };
  }
  if (refused !== undefined) return respondWith(await refusedPage(refused, url.hostname, LOGOUT_PATH));
  if (application.service_auth_401_redirect === true) return respondWith(unauthorizedResponse(url, application.aud));
  return respondWith(redirectToLogin(gate.issuer, url, headers, application.aud));
}

function respondWith(response: Response): Decision {
  return { kind: "respond", response };
}

/** Returns the tokens of a request: of the header that `cloudflared` sends, then of each cookie. */
function sentTokens(headers: Headers): { token: string; byCookie: boolean }[] {
  const header = headers.get("cf-access-token");
  const cookies = cookieValues(headers, TOKEN_COOKIE).map((token) => ({ token, byCookie: true }));
  return header === null ? cookies : [{ token: header, byCookie: false }, ...cookies];
}
