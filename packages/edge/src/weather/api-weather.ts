/** Faults of the Cloudflare API, as its clients see them. */
import type { HttpBindings } from "@hono/node-server";
import type { Context, MiddlewareHandler } from "hono";
import * as z from "zod";
import { generatedId } from "../account/identifiers.ts";
import { failureResponse } from "../cloudflare/api/operations.ts";
import type { FaultName } from "./faults.ts";
import type { Weather } from "./weather.ts";

const SLOWEST_MS = 20_000;
/** Documented as rounded up to seconds. */
const LONGEST_WAIT_MS = 30_000;

const BAD_GATEWAY = `<html>\r
<head><title>502 Bad Gateway</title></head>\r
<body>\r
<center><h1>502 Bad Gateway</h1></center>\r
<hr><center>cloudflare</center>\r
</body>\r
</html>\r
`;

/** Responses instead of the API's own. The request has no effect. */
const refusals: Partial<Record<FaultName, (amount: number, weather: Weather) => Response>> = {
  api_rate_limited: (amount, weather) => {
    const seconds = Math.max(1, Math.ceil(weather.duration(amount * LONGEST_WAIT_MS) / 1000));
    const message = "Please wait and consider throttling your request speed";
    return failureResponse(429, 971, message, { "Retry-After": String(seconds) });
  },
  api_failed: () => failureResponse(500, 10013, "An unknown error has occurred."),
  api_unavailable: () =>
    new Response("no healthy upstream", { status: 503, headers: { "Content-Type": "text/plain" } }),
  api_bad_gateway: () => new Response(BAD_GATEWAY, { status: 502, headers: { "Content-Type": "text/html" } }),
};

/** Returns a handler to run before all others of the API. */
export function apiWeather(weather: Weather): MiddlewareHandler<{ Bindings: HttpBindings }> {
  return async (c, next) => {
    const injected = weather.next("api", await subjectOf(c));
    const refusal = injected && refusals[injected.fault]?.(injected.amount, weather);
    if (refusal !== undefined) return refusal;
    if (injected?.fault === "api_not_received") return cut(c);
    if (injected?.fault === "api_slow") await weather.delay(injected.amount * SLOWEST_MS);
    await next();
    if (injected?.fault === "api_response_lost") cut(c);
  };
}

/** Cuts the client's connection. @returns a response that nobody receives */
function cut(c: Context<{ Bindings: HttpBindings }>): Response {
  c.env.incoming.socket.destroy();
  return c.body(null);
}

const named = z.looseObject({
  name: z.string().optional(),
  title: z.string().optional(),
  queue_name: z.string().optional(),
});

/** Returns the operation with the name of its resource, and without generated ids. */
async function subjectOf(c: Context): Promise<string> {
  const path = c.req.path.replace(/^\/client\/v4/, "").replace(generatedId, ":id");
  const { name, title, queue_name } = named.safeParse(await bodyOf(c)).data ?? {};
  return [c.req.method, path, name ?? title ?? queue_name ?? []].flat().join(" ");
}

async function bodyOf(c: Context): Promise<unknown> {
  if (!c.req.header("content-type")?.startsWith("application/json")) return undefined;
  // Hono keeps the body for later handlers.
  return c.req.json().catch(() => undefined);
}
