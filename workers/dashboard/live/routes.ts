import { consoleApi, LIVE_PUSH_PATH } from "#domain/access/access-addresses.ts";
import { serviceErrors } from "#domain/errors/api/service.ts";
import { TENANT_USERS } from "#workers/contracts/api/route.ts";
import { errorResponse } from "#workers/contracts/errors.ts";
import { liveEvents } from "#workers/contracts/live.ts";
import { hasBearerToken } from "#workers/shared/bearer-token.ts";
import { repeatedly } from "#workers/shared/object-calls.ts";
import type { Settings } from "../env.ts";
import { parseJson, readBody } from "../http/body.ts";
import { failure, invalidInput } from "../http/failure.tsx";
import { isForeign } from "../http/same-origin.ts";
import type { Caller } from "../identity/caller.ts";
import { enterAsTenantUser } from "../identity/tenant-user.ts";
import type { App, AppContext } from "../variables.ts";
import { CONNECT_PATH, type ListenOrder, liveOf, WAKE_PATH } from "./calls.ts";

const LIVE_PATH = "/live";
const MAX_PUSH_BYTES = 1024 * 1024;
/** An ID that a double holds exactly. */
const ID = /^\d{1,15}$/;

/** `POST /internal/live`, with the service's token, before any query. */
export function servePush(app: App, settings: Settings): void {
  app.post(LIVE_PUSH_PATH, async (c) => {
    if (!(await hasBearerToken(c.req.raw.headers, settings.LIVE_TOKEN, settings.OTHER_LIVE_TOKEN))) {
      return errorResponse(serviceErrors.events_token_missing);
    }
    const events = liveEvents.safeParse(parseJson(await readBody(c.req.raw, MAX_PUSH_BYTES)));
    if (!events.success) return errorResponse(serviceErrors.events_invalid);
    // Listeners get events from the database with their own rights; the request only signals that there are some.
    const response = await repeatedly(() => liveOf(c.env.LIVE).fetch(`https://live${WAKE_PATH}`, { method: "POST" }));
    return new Response(response.body, response);
  });
}

/** `GET /live?after=ID`, for users of the dashboard. */
export function serveListening(app: App): void {
  app.get(LIVE_PATH, async (c) => listen(c, await c.get("caller")));
}

/** The same for users of a tenant, below the console's API. */
export function serveTenantListening(app: App, settings: Settings): void {
  app.get(consoleApi(":slug") + LIVE_PATH, async (c) => {
    const caller = await enterAsTenantUser(c, settings, TENANT_USERS);
    return listen(c, caller);
  });
}

async function listen(c: AppContext, { id: callerId, email, tenant }: Caller): Promise<Response> {
  if (isForeign(c.req.raw)) throw failure(serviceErrors.events_for_foreign_origin);
  if (c.req.header("upgrade")?.toLowerCase() !== "websocket") {
    throw failure(serviceErrors.events_need_websocket);
  }
  const after = c.req.query("after");
  if (after !== undefined && !ID.test(after)) {
    throw invalidInput("query", {
      after: ["must be the ID of an event; omit it to start with new events"],
    });
  }
  const order: ListenOrder = {
    email,
    slug: tenant?.slug ?? null,
    serviceToken: tenant?.serviceToken ?? null,
    isViewer: tenant?.readOnly ?? false,
    callerId,
    after: after === undefined ? null : Number(after),
  };
  // Only checked values are forwarded.
  const headers = { upgrade: "websocket", "x-listen": encodeURIComponent(JSON.stringify(order)) };
  const {
    status,
    webSocket,
    body,
    headers: answered,
  } = await repeatedly(() => liveOf(c.env.LIVE).fetch(`https://live${CONNECT_PATH}`, { headers }));
  return webSocket === null
    ? new Response(body, { status, headers: answered })
    : new Response(null, { status, webSocket });
}
