import { channel } from "node:diagnostics_channel";
import type { HttpBindings } from "@hono/node-server";
import { equalSecrets } from "@tenantry/std/same-secret";
import { Hono } from "hono";
import { EdgeLimits } from "#limits/edge-limits.ts";
import { RequestRate } from "#limits/request-rate.ts";
import { apiWeather } from "#weather/api-weather.ts";
import { lateLists } from "#weather/late-lists.ts";
import type { Weather } from "#weather/weather.ts";
import { AssetUploads } from "../kinds/assets/uploads.ts";
import { ApiTokens } from "../kinds/tokens/api-tokens.ts";
import { apiParts, bindingTypes } from "../kinds.ts";
import { bearerCheck } from "./authentication.ts";
import type { ApiContext } from "./context.ts";
import { ApiError, type ApiPart, failureResponse } from "./operations.ts";
import { acceptedPermissions } from "./permissions.ts";
import { type Product, refuseWithoutProduct } from "./products.ts";

export interface ApiOptions
  extends Omit<ApiContext, "bindingTypes" | "assetUploads" | "isOwnToken" | "limits" | "now"> {
  /** Grants full access to the API. */
  apiToken: string;
  /** Products that the account has not enabled. Default: none. */
  withoutProducts?: readonly Product[];
  /** Default: Cloudflare's. */
  limits?: EdgeLimits;
  /** Milliseconds since the epoch. Default: the system clock. */
  now?: () => number;
  /** Default: no faults. */
  weather?: Weather | undefined;
}

/** Returns the permission groups of which an operation accepts each. */
function groupsFor({ title, alsoReads }: ApiPart, route: string): readonly string[] {
  const { read = [], write = [] } = acceptedPermissions[title] ?? {};
  return route.startsWith("GET ") || alsoReads?.includes(route) ? read : write;
}

/** Publishes `METHOD /path/:parameter` of each request to a served operation. */
const calls = channel("tenantry:edge:api-call");

const identifier = /^[0-9a-f]{32}$/;

/** @throws ApiError for another account or zone */
function checkScope(context: ApiContext, params: Record<string, string>, path: string): void {
  for (const [name, own] of [
    ["account_id", context.accountId],
    ["zone_id", context.zoneId],
  ] as const) {
    const given = params[name];
    if (given === undefined || given === own) continue;
    if (!identifier.test(given)) {
      throw new ApiError(404, 7003, `Could not route to ${path}, perhaps your object identifier is invalid?`);
    }
    if (name === "zone_id") throw new ApiError(404, 1001, "Invalid zone identifier");
    throw new ApiError(403, 10000, "Authentication error");
  }
}

/** Returns the API v4, to mount at `/client/v4`. Unsupported requests get 501 and a log line. */
export function createApi({
  apiToken,
  withoutProducts = [],
  limits = new EdgeLimits(),
  now = Date.now,
  weather,
  ...options
}: ApiOptions): Hono<{ Bindings: HttpBindings }> {
  const isOwnToken = (token: string) => equalSecrets(token, apiToken);
  const views = weather === undefined ? undefined : lateLists(options.store, weather);
  const given = { ...options, limits, now, bindingTypes, assetUploads: new AssetUploads(), isOwnToken };
  const context: ApiContext = { ...given, store: views?.store ?? options.store };
  const lists: ApiContext | undefined = views && { ...context, store: views.listed };
  const app = new Hono<{ Bindings: HttpBindings }>();
  if (weather !== undefined) app.use("*", apiWeather(weather));
  const tokens = new ApiTokens(options.store, options.accountId, options.zoneId);
  const authenticate = bearerCheck(isOwnToken, (header, groups) =>
    groups.some((group) => tokens.permits(header, group, now())),
  );
  app.onError((error, c) => {
    if (error instanceof ApiError) return failureResponse(error.status, error.code, error.message);
    context.log("api", "fault", { method: c.req.method, path: c.req.path, error: error.message });
    return failureResponse(500, 10013, "An unknown error has occurred. The edge's log has the details.");
  });
  const rate = new RequestRate(limits, now);
  app.use(async (c, next) => {
    const token = c.req.header("Authorization");
    const counted = token === undefined ? undefined : rate.count(token);
    if (counted?.isRefused) {
      context.log("api", "rate-limited", { method: c.req.method, path: c.req.path });
      const { status, code, message } = limits.refusal("apiRequests");
      c.res = failureResponse(status, code, message);
    } else await next();
    for (const [name, value] of Object.entries(counted?.headers ?? {})) c.header(name, value);
  });
  for (const part of apiParts) {
    const listing = lists && part.handlers(lists);
    for (const [route, handler] of Object.entries(part.handlers(context))) {
      const handle = (part.operations[route]?.endsWith(".list") && listing?.[route]) || handler;
      const [method = "", path = ""] = route.split(" ");
      const groups = groupsFor(part, route);
      app.on(method, path, async (c) => {
        calls.publish(route);
        if (!part.ownToken?.includes(route)) authenticate(c.req.raw, groups);
        const params = c.req.param() as Record<string, string>;
        checkScope(context, params, c.req.path);
        const refused = refuseWithoutProduct(withoutProducts, c.req.path);
        if (refused !== undefined) return refused;
        const body = new Uint8Array(await c.req.arrayBuffer());
        return handle({ params, query: new URL(c.req.url).searchParams, headers: c.req.raw.headers, body });
      });
    }
  }
  app.all("*", (c) => {
    authenticate(c.req.raw);
    context.log("api", "unsupported", { method: c.req.method, path: c.req.path });
    const message = `Not supported by the local edge: ${c.req.method} ${c.req.path}`;
    return failureResponse(501, 7000, message, { "x-should-retry": "false" });
  });
  return app;
}
