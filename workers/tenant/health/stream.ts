/** The health stream: sends every listener the same snapshot, made once for all of them. */

import { errorResponse } from "#workers/contracts/errors.ts";
import { log } from "#workers/shared/log.ts";
import { listenerKind, PLACES } from "./listener-places.ts";
import { type Look, type Mode, modeOf } from "./look.ts";

export interface HealthStreamOptions {
  /** Where the listeners' sockets are kept; they outlive the object that opened them. */
  ctx: Pick<DurableObjectState, "acceptWebSocket" | "getWebSockets" | "waitUntil">;
  /** Looks; calls at one time may share a look. */
  look: (mode: Mode) => Promise<Look>;
  /** Is told of a listener, before its first snapshot is made. */
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

  /** Sends every listener a snapshot; it activates when one of them asked for that. @returns what it shows, if any was made */
  async broadcast(): Promise<Look | undefined> {
    const { ctx } = this.#o;
    const sockets = ctx.getWebSockets();
    if (sockets.length === 0) return undefined;
    return this.#send(sockets, ctx.getWebSockets("active").length > 0 ? "active" : "passive");
  }

  /** Ends every listener, who may come back. */
  cut(): void {
    for (const socket of this.#o.ctx.getWebSockets()) socket.close(1012, "open the stream again");
  }

  async #send(sockets: WebSocket[], mode: Mode): Promise<Look | undefined> {
    try {
      const look = await this.#o.look(mode);
      const message = JSON.stringify(look.snapshot);
      for (const socket of sockets) if (socket.readyState === WebSocket.OPEN) socket.send(message);
      return look;
    } catch (error) {
      log("error", "health-stream.failed", { message: String(error) });
      return undefined;
    }
  }
}
