/** The way of a request: host → slug → tenant → routing gate → identity → role → tenant Worker (spec: "Request flow"). */

import { BoundedMap } from "@tenantry/std/bounded-map";
import { dashboardHostname, slugOfHostname } from "#domain/names/hostnames.ts";
import { gateRefusal } from "#domain/tenants/instance-state.ts";
import { type Brand, brandOf, PLATFORM_BRAND } from "#workers/contracts/brand.ts";
import { errorStatus } from "#workers/contracts/errors.ts";
import { BRAND_HEADER, encodeBrand } from "#workers/contracts/platform-headers.ts";
import { isExport } from "#workers/contracts/tenant/backup.ts";
import type { TenantRecord } from "#workers/contracts/tenant-entry.ts";
import { KeysUnavailable } from "#workers/shared/access/key-set.ts";
import { TokenVerifier } from "#workers/shared/access/token-verifier.ts";
import { assertedToken, hasAccessToken } from "#workers/shared/access/tokens.ts";
import { clientNetwork } from "#workers/shared/client-network.ts";
import { reasonOf } from "#workers/shared/log.ts";
import { isOwnOrigin } from "#workers/shared/own-origin.ts";
import { isForPeople } from "#workers/shared/page/answer.ts";
import { RateLimits } from "#workers/shared/rate-limits.ts";
import type { KeepAlive } from "#workers/shared/single-flight.ts";
import { Admission, type AdmittedUser } from "./connections/admission.ts";
import { type Env, parseSettings, type Settings } from "./env.ts";
import { answered } from "./forward/answer.ts";
import { forwarded, tenantRefusal } from "./forward/forward.ts";
import { isWebSocketUpgrade } from "./forward/headers.ts";
import { callWorker } from "./forward/worker-call.ts";
import { healthCaller } from "./health/health-caller.ts";
import { type HealthCaller, HealthLimit } from "./health/health-limit.ts";
import { admit, authenticate, type IdentityFault, mayEnter, namedEmail } from "./identity/identity.ts";
import { administer } from "./orders/administration.ts";
import { backUp } from "./orders/backup.ts";
import { cutOff } from "./orders/cut.ts";
import { invalidate, requireOrder } from "./orders/invalidate.ts";
import { isInternal, isPublic, orderOf } from "./paths.ts";
import { gateMessages, Refusal, refusalResponse } from "./refusal.ts";
import { RequestLog } from "./request-log.ts";
import { Database, DatabaseUnavailable } from "./tenants/database.ts";
import { type Lookup, Tenants } from "./tenants/tenants.ts";

const RETRY_SECONDS = 5;
const MAX_HOSTNAMES = 5_000;
/** Lookups by one network of slugs that turn out to be nobody's, or that cannot be made; as many may be under way. */
const STRANGERS = { burst: 100, perSecond: 1 };

/** What was found of a request on its way, for whoever is told that it ends. */
interface Found {
  tenant?: TenantRecord;
  /** E-mail address of who is logged in. */
  user?: string;
}

/** What an isolate keeps between requests. */
export class Dispatch {
  readonly settings: Settings;
  readonly database: Database;
  readonly #env: Env;
  readonly #tenants: Tenants;
  readonly #verifier: TokenVerifier;
  readonly #healthLimit = new HealthLimit();
  readonly #strangers = new RateLimits(STRANGERS);
  readonly #slugs = new BoundedMap<string, string>(MAX_HOSTNAMES);

  /** @throws Error when a binding is missing or malformed */
  constructor(env: Env) {
    this.#env = env;
    this.settings = parseSettings(env);
    const { ENVIRONMENT: environment } = this.settings;
    this.database = new Database(environment, this.settings.database);
    this.#tenants = new Tenants({ environment, kv: env.TENANT_INDEX, database: this.database });
    this.#verifier = new TokenVerifier(this.settings.ACCESS_ISSUER);
  }

  /** Answers any request of the wildcard host; it never throws. */
  async fetch(request: Request, keepAlive: KeepAlive): Promise<Response> {
    const log = new RequestLog(request);
    const found: Found = {};
    try {
      const response = await this.#route(request, keepAlive, log, found);
      log.write(response.status);
      return response;
    } catch (error) {
      const refusal = refusalOf(error);
      log.outcome = refusal.code;
      log.write(errorStatus[refusal.code], reasonOf(refusal.cause));
      const { tenant, user } = found;
      return refusalResponse(refusal, request, { brand: this.#brandOf(tenant, request), user });
    }
  }

  async #route(request: Request, keepAlive: KeepAlive, log: RequestLog, found: Found): Promise<Response> {
    // A host may be one that no URL can hold, such as malformed punycode.
    const url = URL.parse(request.url);
    if (!url) throw new Refusal("tenant_not_found", "No tenant has this address.");
    const { hostname, pathname } = url;
    const order = orderOf(request.method, pathname);
    if (order !== undefined) {
      await requireOrder(order.slug, request.headers, this.#ownTokens);
      log.slug = order.slug;
      log.outcome = order.outcome;
      const { settings } = this;
      const { DISPATCHER: dispatcher } = this.#env;
      const tenants = this.#tenants;
      if (order.outcome === "invalidated") {
        return invalidate(order.slug, tenants, () => cutOff(order.slug, { settings, tenants, dispatcher, keepAlive }));
      }
      const { ENVIRONMENT: environment, PLATFORM_DOMAIN: domain } = settings;
      if (order.outcome === "backup_ordered") return backUp(order.slug, environment, domain, dispatcher);
      return administer(order.outcome, { ...order, request }, { environment, domain, dispatcher });
    }
    const slug = this.#slugOf(hostname);
    if (slug === undefined) throw new Refusal("tenant_not_found", "No tenant has this address.");
    log.slug = slug;
    if (isInternal(pathname)) throw new Refusal("not_found", "There is nothing at this address.");

    const open = isPublic(request.method, pathname);
    const { tenant, cache } =
      this.#tenants.cached(slug) ?? (await this.#lookUp(slug, request.headers, open, keepAlive));
    log.cache = cache;
    if (!tenant) throw new Refusal("tenant_not_found", "No tenant has this address.");
    // Whose tenant it is, is nothing for strangers.
    if (!open) found.tenant = tenant;

    const gate = gateRefusal(this.settings.ENVIRONMENT, tenant.client_status, tenant.instance_status);
    // Whose tenant is frozen may take its data all the same.
    const takesOut = gate === "instance_frozen" && isExport(request.method, pathname);
    if (gate && !takesOut) throw new Refusal(gate, gateMessages[gate]);

    let user: AdmittedUser | undefined;
    let sent: Request;
    if (open) {
      const caller = await this.#healthCaller(request.headers, tenant, keepAlive);
      const wait = this.#healthLimit.take(slug, caller);
      if (wait > 0) throw new Refusal("limit_exceeded", "Too many health calls; wait before the next.", wait);
      sent = forwarded(request, tenant, caller);
    } else {
      user =
        this.#knownUser(request.headers, tenant) ?? (await this.#authorize(request.headers, tenant, keepAlive, found));
      found.user = user.email;
      refuseForeignOrigin(request, url);
      log.role = user.role;
      sent = forwarded(request, tenant, user);
      // The Worker may have a page of its own to show while the gateway starts.
      if (isForPeople(request.headers)) sent.headers.set(BRAND_HEADER, encodeBrand(this.#brandOf(tenant, request)));
    }
    log.dispatching();
    const response = await callWorker(
      this.#env.DISPATCHER,
      { worker: tenant.worker_name, limitsOf: tenant.billing_plan },
      sent,
    ).catch((error: unknown) => {
      throw tenantRefusal(error);
    });
    // A snapshot of its health is over at once.
    const stays = !open || response.webSocket !== null;
    const { ENVIRONMENT: environment } = this.settings;
    const admission = () => new Admission({ environment, tenants: this.#tenants, tenant, user });
    return answered(response, stays ? admission : undefined, keepAlive);
  }

  /** By which calls of the platform's own are known; two while the token is rotated. */
  get #ownTokens(): (string | undefined)[] {
    return [this.settings.INVALIDATE_TOKEN, this.settings.OTHER_INVALIDATE_TOKEN];
  }

  /** Whose look the pages of a tenant have; without one, the platform's. */
  #brandOf(tenant: TenantRecord | undefined, request: Request): Brand {
    const url = URL.parse(request.url);
    if (!tenant?.partner || !url) return PLATFORM_BRAND;
    const { ENVIRONMENT: environment, PLATFORM_DOMAIN: domain } = this.settings;
    // Scheme and port are those by which the tenant was reached.
    const port = url.port === "" ? "" : `:${url.port}`;
    return brandOf(tenant.partner, `${url.protocol}//${dashboardHostname(environment, domain)}${port}`);
  }

  #healthCaller(headers: Headers, tenant: TenantRecord, keepAlive: KeepAlive): Promise<HealthCaller> {
    const known = async () => this.#knownUser(headers, tenant) ?? (await this.#authorize(headers, tenant, keepAlive));
    return healthCaller(headers, {
      tokens: this.#ownTokens,
      user: async () => (hasAccessToken(headers) ? (await known()).email : undefined),
      network: clientNetwork(headers),
    });
  }

  #slugOf(hostname: string): string | undefined {
    const known = this.#slugs.get(hostname);
    if (known !== undefined) return known;
    const slug = slugOfHostname(hostname, this.settings.ENVIRONMENT, this.settings.PLATFORM_DOMAIN);
    if (slug !== undefined) this.#slugs.set(hostname, slug);
    return slug;
  }

  /** Looks beyond the isolate's cache, which a client may make us do for only so many slugs that it made up. */
  async #lookUp(slug: string, headers: Headers, open: boolean, keepAlive: KeepAlive): Promise<Lookup> {
    const network = this.#tenants.isStranger(slug) ? clientNetwork(headers) : undefined;
    const wait = network === undefined ? 0 : this.#strangers.take(network, Date.now());
    if (wait > 0)
      throw new Refusal("limit_exceeded", "Too many addresses without a tenant; wait before the next.", wait);
    const caller = async () =>
      open ? undefined : namedEmail(headers, this.#verifier, keepAlive).catch(() => undefined);
    const found = await this.#tenants.find(slug, caller, keepAlive);
    if (found.tenant && network !== undefined) this.#strangers.giveBack(network);
    return found;
  }

  /** What {@link #authorize} gives for a token and a role that are known: nearly every request, and it waits for nothing. */
  #knownUser(headers: Headers, tenant: TenantRecord): AdmittedUser | undefined {
    const token = assertedToken(headers);
    const identity = token ? this.#verifier.known(token) : undefined;
    const admitted = identity && admit(identity, tenant, this.settings);
    const role = admitted && this.#tenants.knownRole(tenant, admitted.email);
    return role && mayEnter(admitted, role) ? { email: admitted.email, role } : undefined;
  }

  /** @param found is told who is logged in, also when that is of no use here */
  async #authorize(
    headers: Headers,
    tenant: TenantRecord,
    keepAlive: KeepAlive,
    found: Found = {},
  ): Promise<AdmittedUser> {
    const { settings } = this;
    const admitted = await authenticate(headers, tenant, { settings, verifier: this.#verifier, keepAlive });
    if ("fault" in admitted) {
      if (admitted.fault === "elsewhere") found.user = admitted.email;
      throw identityRefusal(admitted);
    }
    found.user = admitted.email;
    const role = await this.#tenants.role(tenant, admitted.email, keepAlive);
    if (!mayEnter(admitted, role)) {
      throw new Refusal("access_denied", "You are no user of this tenant; ask its administrator to invite you.");
    }
    return { email: admitted.email, role };
  }
}

function identityRefusal({ fault }: IdentityFault): Refusal {
  if (fault === "missing") return new Refusal("authentication_required", "Log in to reach this tenant.");
  if (fault === "expired") return new Refusal("authentication_required", "Your session is over; log in again.");
  return new Refusal("access_denied", "Your log-in is not for this tenant; log in at its own address.");
}

/**
 * All tenants are one site to a browser, so cookies go along with what another tenant's page sends here.
 * A page may only read across tenants, and only what the tenant itself allows.
 */
function refuseForeignOrigin(request: Request, url: URL): void {
  const origin = request.headers.get("origin");
  if (origin === null) return;
  const isRead = ["GET", "HEAD", "OPTIONS"].includes(request.method) && !isWebSocketUpgrade(request.headers);
  if (isRead || isOwnOrigin(origin, url)) return;
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
