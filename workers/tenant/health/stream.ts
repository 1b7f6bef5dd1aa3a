/** The health stream: sends the same snapshot to every listener. */

import { workerErrors } from "#domain/errors/tenants/worker.ts";
import { errorResponse } from "#workers/contracts/errors.ts";
import { CALLER_HEADER, type Caller, callers, ROLE_HEADER } from "#workers/contracts/platform-headers.ts";
import { log } from "#workers/shared/log.ts";
import { type HealthCheck, type Mode, modeOf } from "./check.ts";

/** Maximum number of listeners of each kind. */
const MAX_LISTENERS = 100;

export interface HealthStreamOptions {
  /** Holds the listeners' sockets, which outlive this object. */
  ctx: Pick<DurableObjectState, "acceptWebSocket" | "getWebSockets" | "waitUntil">;
  /** Makes a health check, or joins one in progress. */
  check: (mode: Mode) => Promise<HealthCheck>;
  /** Runs before the first snapshot of a new listener. */
  onOpen: () => Promise<void>;
}

export class HealthStream {
  readonly #o: HealthStreamOptions;

  constructor(options: HealthStreamOptions) {
    this.#o = options;
  }

  get hasListeners(): boolean {
    return this.#o.ctx.getWebSockets().length > 0;
  }

  /** Opens the stream, and sends a first snapshot. */
  async open(request: Request): Promise<Response> {
    const { ctx } = this.#o;
    const mode = modeOf(request.url);
    const kind = listenerKind(request.headers);
    if (ctx.getWebSockets(kind).length >= MAX_LISTENERS) {
      return errorResponse(
        workerErrors.health_listeners_full,
        { most: MAX_LISTENERS },
        { headers: { "retry-after": "30" } },
      );
    }
    const { 0: client, 1: server } = new WebSocketPair();
    ctx.acceptWebSocket(server, [mode, kind]);
    await this.#o.onOpen();
    ctx.waitUntil(this.#send([server], mode));
    return new Response(null, { status: 101, webSocket: client });
  }

  /** Sends every listener a snapshot: of an active check when a listener requested one. @returns the check, if there are listeners */
  async broadcast(): Promise<HealthCheck | undefined> {
    const { ctx } = this.#o;
    const sockets = ctx.getWebSockets();
    if (sockets.length === 0) return undefined;
    return this.#send(sockets, ctx.getWebSockets("active").length > 0 ? "active" : "passive");
  }

  /** Closes every listener's socket. Listeners may connect again. */
  cut(): void {
    for (const socket of this.#o.ctx.getWebSockets()) socket.close(1012, "open the stream again");
  }

  async #send(sockets: WebSocket[], mode: Mode): Promise<HealthCheck | undefined> {
    try {
      const check = await this.#o.check(mode);
      const message = JSON.stringify(check.snapshot);
      for (const socket of sockets) if (socket.readyState === WebSocket.OPEN) socket.send(message);
      return check;
    } catch (error) {
      log("error", "health-stream.failed", { message: String(error) });
      return undefined;
    }
  }
}

/** Returns the kind of a listener, which also tags its socket through hibernation. @param headers as the dispatch Worker set them */
function listenerKind(headers: Headers): Caller {
  const caller = callers.find((caller) => caller === headers.get(CALLER_HEADER));
  return caller ?? (headers.has(ROLE_HEADER) ? "user" : "anonymous");
}
