/** Routes a request: host → slug → tenant → gate → identity → role → tenant Worker (spec: "Request flow"). */
import { BoundedMap } from "@tenantry/std/bounded-map";
import { errorCodes } from "#domain/errors/codes.ts";
import { trafficErrors } from "#domain/errors/tenants/traffic.ts";
import { dashboardHostname, slugOfHostname } from "#domain/names/hostnames.ts";
import { DOORS_LABEL } from "#domain/names/slug.ts";
import { gateRefusal } from "#domain/tenants/instance-state.ts";
import { type Brand, brandOf, PLATFORM_BRAND } from "#workers/contracts/brand.ts";
import { BRAND_HEADER, CUT_AT_HEADER, CUT_STATUS, encodeBrand, timeIn } from "#workers/contracts/platform-headers.ts";
import { isExport } from "#workers/contracts/tenant/backup.ts";
import type { TenantRecord } from "#workers/contracts/tenant-entry.ts";
import { KeysUnavailable } from "#workers/shared/access/key-set.ts";
import { TokenVerifier } from "#workers/shared/access/token-verifier.ts";
import { assertedToken, hasAccessToken } from "#workers/shared/access/tokens.ts";
import { clientNetwork } from "#workers/shared/client-network.ts";
import { reasonOf } from "#workers/shared/log.ts";
import { isOwnOrigin } from "#workers/shared/own-origin.ts";
import { acceptsHtml } from "#workers/shared/page/answer.ts";
import type { KeepAlive } from "#workers/shared/single-flight.ts";
import { UnknownLimit } from "./caching/unknown-limit.ts";
import { createAdmission } from "./connections/admission.ts";
import { serveConsole } from "./console/entry.ts";
import { type Env, parseSettings, type Settings } from "./env.ts";
import { answered } from "./forward/answer.ts";
import { forwarded, tenantRefusal } from "./forward/forward.ts";
import { isWebSocketUpgrade } from "./forward/headers.ts";
import { callWorker } from "./forward/worker-call.ts";
import { healthCaller } from "./health/health-caller.ts";
import { type HealthCaller, HealthLimit } from "./health/health-limit.ts";
import { parseDoorPath } from "./hooks/door-path.ts";
import { doorRefusal, Hooks } from "./hooks/hooks.ts";
import { type AdmittedUser, userOf } from "./identity/admitted.ts";
import { admit, authenticate, type IdentityFault, namedCaller } from "./identity/identity.ts";
import { readCalls } from "./model-calls/read-calls.ts";
import { administer } from "./orders/administration.ts";
import { cutOff } from "./orders/cut.ts";
import { invalidate, invalidateDoor, requireOrder } from "./orders/invalidate.ts";
import { isConsole, isInternal, isPublic, type Order, orderOf } from "./paths.ts";
import { Refusal, refusal, refusalOfGate, refusalResponse } from "./refusal.ts";
import { RequestLog } from "./request-log.ts";
import { Database, DatabaseUnavailable } from "./tenants/database.ts";
import { type Lookup, Tenants } from "./tenants/tenants.ts";

const RETRY_SECONDS = 5;
const MAX_HOSTNAMES = 5_000;
/** Larger bodies are not held to be sent again. */
const MAX_REPEATED_BYTES = 64 * 1024;

interface Context {
  request: Request;
  keepAlive: KeepAlive;
  log: RequestLog;
  /** Set once it is known, for the page of a refusal. */
  tenant?: TenantRecord;
  /** E-mail address of the user who is logged in. */
  user?: string;
}

interface Target {
  url: URL;
  slug: string;
  isHooksHost: boolean;
}

interface Sent {
  response: Response;
  /** Undefined when the dispatch Worker responds itself. */
  admitted?: { tenant: TenantRecord; user: AdmittedUser | undefined };
}

export class Dispatch {
  readonly settings: Settings;
  readonly database: Database;
  readonly #env: Env;
  readonly #tenants: Tenants;
  readonly #verifier: TokenVerifier;
  readonly #healthLimit = new HealthLimit();
  readonly #hooks: Hooks;
  readonly #unknownSlugs = new UnknownLimit((retryAfter) =>
    refusal(trafficErrors.too_many_unknown_tenants, {}, { retryAfter }),
  );
  readonly #slugs = new BoundedMap<string, string>(MAX_HOSTNAMES);

  /** @throws Error when a binding is missing or malformed */
  constructor(env: Env) {
    this.#env = env;
    this.settings = parseSettings(env);
    const { settings } = this;
    const { ENVIRONMENT: environment } = settings;
    const { TENANT_INDEX: kv, DISPATCHER: dispatcher } = env;
    this.database = new Database(environment, settings.database);
    const { database } = this;
    this.#tenants = new Tenants({ environment, kv, database });
    this.#hooks = new Hooks({ settings, kv, database, tenants: this.#tenants, dispatcher });
    this.#verifier = new TokenVerifier(this.settings.ACCESS_ISSUER, { services: true });
  }

  /** Handles a request to any hostname. Never rejects. */
  async fetch(request: Request, keepAlive: KeepAlive): Promise<Response> {
    const context: Context = { request, keepAlive, log: new RequestLog(request) };
    const { log } = context;
    try {
      const response = await this.#route(context);
      log.write(response.status);
      return response;
    } catch (error) {
      const refused = refusalOf(error);
      log.outcome = refused.code;
      log.write(errorCodes[refused.code].status, reasonOf(refused.cause));
      const { tenant, user } = context;
      return refusalResponse(refused, request, { brand: this.#brandOf(tenant, request), user });
    }
  }

  async #route(context: Context): Promise<Response> {
    const { request, keepAlive, log } = context;
    // The host may be one that no URL can hold, such as malformed punycode.
    const url = URL.parse(request.url);
    if (!url) throw refusal(trafficErrors.tenant_address_unknown);
    const { hostname, pathname } = url;
    const order = orderOf(request.method, pathname);
    if (order !== undefined) return this.#execute(order, context);
    const slug = this.#slugOf(hostname);
    if (slug === undefined) throw refusal(trafficErrors.tenant_address_unknown);
    const isHooksHost = slug === DOORS_LABEL;
    const path = isHooksHost ? parseDoorPath(pathname) : undefined;
    if (path !== undefined) return this.#hooks.receive({ request, url, path, keepAlive, log });
    log.slug = slug;
    if (isInternal(pathname)) throw refusal(trafficErrors.path_reserved);

    const { response, admitted } = await this.#enter(context, { url, slug, isHooksHost });
    if (admitted === undefined) return response;
    const staysOpen = !isPublic(request.method, pathname) || response.webSocket !== null;
    const { ENVIRONMENT: environment } = this.settings;
    const admission = () => createAdmission({ environment, tenants: this.#tenants, ...admitted });
    return answered(response, staysOpen ? admission : undefined, keepAlive);
  }

  /** Sends a request to its tenant; again, if tenant or user were read before the tenant's connections were cut. */
  async #enter(context: Context, target: Target): Promise<Sent> {
    const { request } = context;
    const spare = spareOf(request);
    const sent = await this.#send(context, target, request);
    const cutAt = cutAtOf(sent);
    if (cutAt === undefined) {
      if (spare !== request) await spare?.body?.cancel();
      return sent;
    }
    this.#tenants.expire(target.slug, cutAt);
    const again = spare && (await this.#send(context, target, spare));
    if (again === undefined || cutAtOf(again) !== undefined) {
      throw refusal(trafficErrors.tenant_access_changed, {}, { retryAfter: 1 });
    }
    return again;
  }

  async #send(context: Context, { url, slug, isHooksHost }: Target, request: Request): Promise<Sent> {
    const { keepAlive, log } = context;
    const { headers } = request;
    const { pathname } = url;
    const open = isPublic(request.method, pathname);
    const { tenant, cache, readAt } =
      this.#tenants.cached(slug) ?? (await this.#lookUp(slug, headers, open, keepAlive));
    log.cache = cache;
    // A tenant may have had this host before there were doors.
    if (!tenant) throw isHooksHost ? doorRefusal("path") : refusal(trafficErrors.tenant_address_unknown);
    // A public path does not disclose the tenant's brand.
    if (!open) context.tenant = tenant;

    if (isConsole(pathname)) {
      const user = await this.#userOf(headers, tenant, context);
      const { outcome, response } = await serveConsole(request, { url, slug, user, settings: this.settings });
      log.outcome = outcome;
      return { response };
    }

    const gate = gateRefusal(this.settings.ENVIRONMENT, tenant.client_status, tenant.instance_status);
    // A frozen tenant's data can still be exported.
    const exportsData = gate === "instance_frozen" && isExport(request.method, pathname);
    if (gate && !exportsData) throw refusalOfGate(gate);

    let user: AdmittedUser | undefined;
    let sent: Request;
    if (open) {
      const caller = await this.#healthCaller(headers, tenant, keepAlive);
      const wait = this.#healthLimit.take(slug, caller);
      if (wait > 0) throw refusal(trafficErrors.too_many_health_requests, {}, { retryAfter: wait });
      sent = forwarded(request, { tenant, by: caller, admittedAt: readAt });
    } else {
      user = await this.#userOf(headers, tenant, context);
      refuseForeignOrigin(request, url);
      sent = forwarded(request, { tenant, by: user, admittedAt: Math.min(readAt, user.readAt) });
      // The tenant's Worker shows a page of its own while the gateway starts.
      if (acceptsHtml(headers)) sent.headers.set(BRAND_HEADER, encodeBrand(this.#brandOf(tenant, request)));
    }
    log.dispatching();
    const response = await callWorker(
      this.#env.DISPATCHER,
      { worker: tenant.worker_name, limitsOf: tenant.billing_plan },
      sent,
    ).catch((error: unknown) => {
      throw tenantRefusal(error);
    });
    return { response, admitted: { tenant, user } };
  }

  async #execute(order: Order, { request, keepAlive, log }: Context): Promise<Response> {
    const { slug, outcome } = order;
    await requireOrder(order, request.headers, this.#ownTokens);
    log.outcome = outcome;
    if (outcome === "door_invalidated") return invalidateDoor(slug, this.#hooks.doors);
    log.slug = slug;
    const { settings } = this;
    const tenants = this.#tenants;
    const { DISPATCHER: dispatcher } = this.#env;
    if (outcome === "model_calls_read") return readCalls(request, settings);
    if (outcome !== "invalidated") return administer(outcome, { ...order, request }, settings, dispatcher);
    return invalidate(slug, tenants, () => cutOff(slug, { settings, tenants, dispatcher, keepAlive }));
  }

  /** The platform's own tokens: two while the token is rotated. */
  get #ownTokens(): (string | undefined)[] {
    return [this.settings.INVALIDATE_TOKEN, this.settings.OTHER_INVALIDATE_TOKEN];
  }

  /** The brand of a tenant's pages, with logo addresses of the scheme and port of the request. */
  #brandOf(tenant: TenantRecord | undefined, request: Request): Brand {
    const url = URL.parse(request.url);
    if (!tenant?.partner || !url) return PLATFORM_BRAND;
    const { ENVIRONMENT: environment, PLATFORM_DOMAIN: domain } = this.settings;
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

  /** Finds a tenant beyond the isolate's cache, with a limit on unknown slugs. */
  #lookUp(slug: string, headers: Headers, open: boolean, keepAlive: KeepAlive): Promise<Lookup> {
    const caller = async () =>
      open ? undefined : namedCaller(headers, this.#verifier, keepAlive).catch(() => undefined);
    return this.#unknownSlugs.find(headers, {
      isUnknown: this.#tenants.isUnknown(slug),
      find: () => this.#tenants.find(slug, caller, keepAlive),
      exists: ({ tenant }) => tenant !== null,
    });
  }

  async #userOf(headers: Headers, tenant: TenantRecord, context: Context): Promise<AdmittedUser> {
    const user =
      this.#knownUser(headers, tenant) ?? (await this.#authorize(headers, tenant, context.keepAlive, context));
    context.user = user.email;
    context.log.role = user.role;
    return user;
  }

  /** Like {@link #authorize}, from cached tokens and roles alone. */
  #knownUser(headers: Headers, tenant: TenantRecord): AdmittedUser | undefined {
    const token = assertedToken(headers);
    const identity = token ? this.#verifier.known(token) : undefined;
    const admitted = identity && admit(identity, tenant, this.settings);
    const standing = admitted && this.#tenants.knownStanding(tenant, admitted.email);
    return standing && userOf(admitted, standing);
  }

  /** @param found receives the user's e-mail address, also when access is denied */
  async #authorize(
    headers: Headers,
    tenant: TenantRecord,
    keepAlive: KeepAlive,
    found: { user?: string } = {},
  ): Promise<AdmittedUser> {
    const { settings } = this;
    const admitted = await authenticate(headers, tenant, { settings, verifier: this.#verifier, keepAlive });
    if ("fault" in admitted) {
      if (admitted.fault === "other_audience") found.user = admitted.email;
      throw identityRefusal(admitted);
    }
    found.user = admitted.email;
    const standing = await this.#tenants.standing(tenant, admitted.email, keepAlive);
    const user = userOf(admitted, standing);
    if (user !== undefined) return user;
    throw refusal(admitted.service ? trafficErrors.service_token_refused : trafficErrors.tenant_user_unknown);
  }
}

/** Returns a request that can be sent after the given one; undefined if its body is too large to hold. */
function spareOf(request: Request): Request | undefined {
  if (request.body === null) return request;
  const length = request.headers.get("content-length");
  return length !== null && Number(length) <= MAX_REPEATED_BYTES ? request.clone() : undefined;
}

function cutAtOf({ response, admitted }: Sent): number | undefined {
  return admitted && response.status === CUT_STATUS ? timeIn(response.headers, CUT_AT_HEADER) : undefined;
}

function identityRefusal({ fault }: IdentityFault): Refusal {
  if (fault === "missing") return refusal(trafficErrors.tenant_login_missing);
  if (fault === "expired") return refusal(trafficErrors.tenant_login_expired);
  return refusal(trafficErrors.tenant_login_for_other);
}

/** To a browser all tenants are one site, so it sends cookies with requests from another tenant's page. Only reads pass. */
function refuseForeignOrigin(request: Request, url: URL): void {
  const origin = request.headers.get("origin");
  if (origin === null) return;
  const isRead = ["GET", "HEAD", "OPTIONS"].includes(request.method) && !isWebSocketUpgrade(request.headers);
  if (isRead || isOwnOrigin(origin, url)) return;
  throw refusal(trafficErrors.request_of_foreign_page);
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof DatabaseUnavailable || error instanceof KeysUnavailable) {
    return refusal(trafficErrors.platform_unavailable, {}, { retryAfter: RETRY_SECONDS, cause: error });
  }
  const id = crypto.randomUUID();
  const cause = new Error(id, { cause: error });
  return refusal(trafficErrors.platform_error, { id }, { cause });
}
