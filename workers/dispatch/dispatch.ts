/** The way of a request: host → slug → tenant → routing gate → identity → role → tenant Worker (spec: "Request flow"). */
import { gateRefusal } from "../../domain/instance-state.ts";
import { slugOfHostname } from "../../domain/slug.ts";
import { KeysUnavailable } from "../access/key-set.ts";
import type { KeepAlive } from "../access/single-flight.ts";
import { TokenVerifier } from "../access/token-verifier.ts";
import { errorStatus } from "../contracts/errors.ts";
import type { Role } from "../contracts/roles.ts";
import type { TenantRecord } from "../contracts/tenant-entry.ts";
import { Database, DatabaseUnavailable } from "./database.ts";
import { type Env, parseSettings, type Settings } from "./env.ts";
import { forward } from "./forward.ts";
import { isWebSocketUpgrade } from "./headers.ts";
import { HealthLimit } from "./health-limit.ts";
import { admit, type Claimed, mayEnter, readIdentities } from "./identity.ts";
import { invalidate } from "./invalidate.ts";
import { invalidatedSlug, isInternal, isPublic } from "./paths.ts";
import { gateMessages, Refusal, refusalResponse } from "./refusal.ts";
import { RequestLog } from "./request-log.ts";
import { Tenants } from "./tenants.ts";

const RETRY_SECONDS = 5;

/** What an isolate keeps between requests. */
export class Dispatch {
  readonly settings: Settings;
  readonly database: Database;
  readonly #env: Env;
  readonly #tenants: Tenants;
  readonly #verifier: TokenVerifier;
  readonly #healthLimit = new HealthLimit();

  /** @throws Error when a binding is missing or malformed */
  constructor(env: Env) {
    this.#env = env;
    this.settings = parseSettings(env);
    this.database = new Database(this.settings.database);
    this.#tenants = new Tenants({ kv: env.TENANT_INDEX, database: this.database });
    this.#verifier = new TokenVerifier(this.settings.ACCESS_ISSUER);
  }

  /** Answers any request of the wildcard host; it never throws. */
  async fetch(request: Request, keepAlive: KeepAlive): Promise<Response> {
    const log = new RequestLog(request);
    try {
      const response = await this.#route(request, keepAlive, log);
      log.write(response.status);
      return response;
    } catch (error) {
      const refusal = refusalOf(error);
      log.outcome = refusal.code;
      log.write(errorStatus[refusal.code], reasonOf(refusal.cause));
      return refusalResponse(refusal, request);
    }
  }

  async #route(request: Request, keepAlive: KeepAlive, log: RequestLog): Promise<Response> {
    // A host may be one that no URL can hold, such as malformed punycode.
    const url = URL.parse(request.url);
    if (!url) throw new Refusal("tenant_not_found", "No tenant has this address.");
    const { hostname, pathname, host } = url;
    const invalidated = invalidatedSlug(request.method, pathname);
    if (invalidated !== undefined) {
      log.outcome = "invalidated";
      return invalidate(invalidated, request.headers, this.settings.INVALIDATE_TOKEN, this.#tenants);
    }
    const slug = slugOfHostname(hostname, this.settings.ENVIRONMENT, this.settings.PLATFORM_DOMAIN);
    if (slug === undefined) throw new Refusal("tenant_not_found", "No tenant has this address.");
    log.slug = slug;
    if (isInternal(pathname)) throw new Refusal("not_found", "There is nothing at this address.");

    const open = isPublic(request.method, pathname);
    const claimed = () => readIdentities(request.headers, this.#verifier, keepAlive);
    const caller = async () => (open ? undefined : (await claimed().catch(() => undefined))?.identities[0]?.email);
    const { tenant, cache } = this.#tenants.cached(slug) ?? (await this.#tenants.find(slug, caller, keepAlive));
    log.cache = cache;
    if (!tenant) throw new Refusal("tenant_not_found", "No tenant has this address.");

    const gate = gateRefusal(this.settings.ENVIRONMENT, tenant.client_status, tenant.instance_status);
    if (gate) throw new Refusal(gate, gateMessages[gate]);

    let role: Role | undefined;
    if (open) {
      const wait = this.#healthLimit.take(slug, request.headers.get("cf-connecting-ip") ?? "");
      if (wait > 0) throw new Refusal("limit_exceeded", "Too many health calls; wait before the next.", wait);
    } else {
      role = await this.#authorize(await claimed(), tenant, keepAlive);
      refuseForeignOrigin(request, host);
      log.role = role;
    }
    log.dispatching();
    return forward(request, tenant, role, this.#env.DISPATCHER);
  }

  async #authorize(claimed: Claimed, tenant: TenantRecord, keepAlive: KeepAlive): Promise<Role> {
    if (claimed.fault === "missing") throw new Refusal("authentication_required", "Log in to reach this tenant.");
    if (claimed.fault === "expired")
      throw new Refusal("authentication_required", "Your session is over; log in again.");
    const admitted = admit(claimed.identities, tenant, this.settings);
    if (!admitted) throw new Refusal("access_denied", "Your log-in is not for this tenant; log in at its own address.");
    const role = await this.#tenants.role(tenant, admitted.email, keepAlive);
    if (!mayEnter(admitted, role)) {
      throw new Refusal("access_denied", "You are no user of this tenant; ask its administrator to invite you.");
    }
    return role;
  }
}

/**
 * All tenants are one site to a browser, so cookies go along with what another tenant's page sends here.
 * A page may only read across tenants, and only what the tenant itself allows.
 */
function refuseForeignOrigin(request: Request, host: string): void {
  const origin = request.headers.get("origin");
  if (origin === null) return;
  const isRead = ["GET", "HEAD", "OPTIONS"].includes(request.method) && !isWebSocketUpgrade(request.headers);
  if (isRead || (URL.canParse(origin) && new URL(origin).host === host)) return;
  throw new Refusal("forbidden", "The request comes from a page of another address.");
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof DatabaseUnavailable || error instanceof KeysUnavailable) {
    const message = "The platform cannot look this up just now; try again.";
    return new Refusal("tenant_unavailable", message, RETRY_SECONDS, error);
  }
  const id = crypto.randomUUID();
  const cause = new Error(id, { cause: error });
  return new Refusal("internal", `Something went wrong; the platform's log says more under ${id}.`, undefined, cause);
}

function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const cause = reasonOf(error.cause);
  return cause === undefined ? error.message : `${error.message}: ${cause}`;
}
