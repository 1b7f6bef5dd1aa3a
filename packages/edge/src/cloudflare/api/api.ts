import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { apiWeather } from "../../weather/api-weather.ts";
import type { Weather } from "../../weather/weather.ts";
import { AssetUploads } from "../kinds/assets/uploads.ts";
import { ApiTokens } from "../kinds/tokens/api-tokens.ts";
import { apiParts, bindingTypes } from "../kinds.ts";
import { bearerCheck } from "./authentication.ts";
import type { ApiContext } from "./context.ts";
import { ApiError, failureResponse } from "./operations.ts";

export interface ApiOptions extends Omit<ApiContext, "bindingTypes" | "assetUploads"> {
  /** Grants full access to the API. */
  apiToken: string;
  /** Default: no faults. */
  weather?: Weather | undefined;
}

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
export function createApi({ apiToken, weather, ...options }: ApiOptions): Hono<{ Bindings: HttpBindings }> {
  const context: ApiContext = { ...options, bindingTypes, assetUploads: new AssetUploads() };
  const app = new Hono<{ Bindings: HttpBindings }>();
  if (weather !== undefined) app.use("*", apiWeather(weather));
  const tokens = new ApiTokens(options.store, options.accountId);
  const authenticate = bearerCheck(apiToken, (header, group) => tokens.permits(header, group, Date.now()));
  app.onError((error, c) => {
    if (error instanceof ApiError) return failureResponse(error.status, error.code, error.message);
    context.log("api", "fault", { method: c.req.method, path: c.req.path, error: error.message });
    return failureResponse(500, 10013, "An unknown error has occurred. The edge's log has the details.");
  });
  for (const part of apiParts) {
    for (const [route, handle] of Object.entries(part.handlers(context))) {
      const [method = "", path = ""] = route.split(" ");
      const isRead = method === "GET" || part.alsoReads?.includes(route);
      app.on(method, path, async (c) => {
        if (!part.ownToken?.includes(route)) authenticate(c.req.raw, isRead ? part.readBy : undefined);
        const params = c.req.param() as Record<string, string>;
        checkScope(context, params, c.req.path);
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
