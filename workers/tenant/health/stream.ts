/** The health stream: sends every listener the same snapshot, made once for all of them. */

import { errorResponse } from "#workers/contracts/errors.ts";
import { log } from "#workers/shared/log.ts";
import { type HealthCheck, type Mode, modeOf } from "./check.ts";
import { listenerKind, PLACES } from "./listener-places.ts";

export interface HealthStreamOptions {
  /** Where the listeners' sockets are kept; they outlive the object that opened them. */
  ctx: Pick<DurableObjectState, "acceptWebSocket" | "getWebSockets" | "waitUntil">;
  /** Makes a health check, or joins one under way. */
  check: (mode: Mode) => Promise<HealthCheck>;
  /** A listener was accepted. Its first snapshot is made afterwards. */
  opened: () => Promise<void>;
}

export class HealthStream {
  readonly #o: HealthStreamOptions;

  constructor(options: HealthStreamOptions) {
    this.#o = options;
  }

  get hasListeners(): boolean {
    return this.#o.ctx.getWebSockets().length > 0;
  }

  /** Answers a request for the stream, and sends it a first snapshot. */
  async open(request: Request): Promise<Response> {
    const { ctx } = this.#o;
    const mode = modeOf(request.url);
    const kind = listenerKind(request.headers);
    if (ctx.getWebSockets(kind).length >= PLACES) {
      const message = `This tenant's health stream has ${PLACES} listeners of your kind already; poll /api/health, or try again later.`;
      return errorResponse("tenant_unavailable", message, { headers: { "retry-after": "30" } });
    }
    const { 0: client, 1: server } = new WebSocketPair();
    ctx.acceptWebSocket(server, [mode, kind]);
    await this.#o.opened();
    ctx.waitUntil(this.#send([server], mode));
    return new Response(null, { status: 101, webSocket: client });
  }

  /** Sends every listener a snapshot. It is an active one when a listener asked for that. @returns the check, if one was made */
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
