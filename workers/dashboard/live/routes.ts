/** Where news are listened to, and where the automation service tells that there are some. */
import { LIVE_PUSH_PATH } from "#domain/access/access-addresses.ts";
import { errorResponse } from "#workers/contracts/errors.ts";
import { liveNews } from "#workers/contracts/live.ts";
import { hasBearerToken } from "#workers/shared/bearer-token.ts";
import type { Settings } from "../env.ts";
import { parseJson, readBody } from "../http/body.ts";
import { Failure, invalidInput } from "../http/failure.tsx";
import { isForeign } from "../http/same-origin.ts";
import type { App } from "../variables.ts";
import { CONNECT_PATH, type ListenOrder, liveOf, WAKE_PATH } from "./calls.ts";

const LIVE_PATH = "/live";
const MAX_PUSH_BYTES = 1024 * 1024;
/** Decimal digits of an id that a double holds. */
const ID = /^\d{1,15}$/;

/** `POST /internal/live`: by the service's token, before anything is asked of the database. */
export function servePush(app: App, settings: Settings): void {
  app.post(LIVE_PUSH_PATH, async (c) => {
    if (!(await hasBearerToken(c.req.raw.headers, settings.LIVE_TOKEN, settings.OTHER_LIVE_TOKEN))) {
      return errorResponse("authentication_required", "News are taken with the service's token alone.");
    }
    const news = liveNews.safeParse(parseJson(await readBody(c.req.raw, MAX_PUSH_BYTES)));
    if (!news.success) return errorResponse("invalid_request", "The body is no news (workers/contracts/live.ts).");
    // Listeners are told what the database holds, each what it may see; what comes here says that there is something.
    const told = await liveOf(c.env.LIVE).fetch(`https://live${WAKE_PATH}`, { method: "POST" });
    return new Response(told.body, told);
  });
}

/** `GET /live?after=ID`, for who is logged in. */
export function serveListening(app: App): void {
  app.get(LIVE_PATH, async (c) => {
    if (isForeign(c.req.raw)) throw new Failure("forbidden", "News are told to the dashboard's own pages alone.");
    if (c.req.header("upgrade")?.toLowerCase() !== "websocket") {
      throw new Failure("invalid_request", "Open this path as a WebSocket.");
    }
    const after = c.req.query("after");
    if (after !== undefined && !ID.test(after)) {
      throw invalidInput("query", {
        after: ["is no id of ours; leave it out to begin now"],
      });
    }
    const { id: callerId, email } = await c.get("caller");
    const order: ListenOrder = { email, callerId, after: after === undefined ? null : Number(after) };
    // Nothing of the request goes along but what was checked.
    const headers = { upgrade: "websocket", "x-listen": encodeURIComponent(JSON.stringify(order)) };
    const {
      status,
      webSocket,
      body,
      headers: answered,
    } = await liveOf(c.env.LIVE).fetch(`https://live${CONNECT_PATH}`, { headers });
    return webSocket === null
      ? new Response(body, { status, headers: answered })
      : new Response(null, { status, webSocket });
  });
}
