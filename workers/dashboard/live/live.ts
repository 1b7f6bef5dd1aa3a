/** Sends live events to open dashboards. One object per environment, which hibernates between events. */
import { DurableObject } from "cloudflare:workers";
import { requestErrors } from "#domain/errors/api/requests.ts";
import { serviceErrors } from "#domain/errors/api/service.ts";
import { errorResponse } from "#workers/contracts/errors.ts";
import { LIVE_CLOSED, LIVE_PING, LIVE_PONG } from "#workers/contracts/live-messages.ts";
import { log, reasonOf } from "#workers/shared/log.ts";
import type { Env } from "../env.ts";
import { Connection } from "../http/connection.ts";
import { readRepeatedly } from "../http/lost-connections.ts";
import { CONNECT_PATH, type ListenOrder, listenOrder, WAKE_PATH } from "./calls.ts";
import { deliver } from "./deliver.ts";
import { Listener, remember } from "./listener.ts";

/** Maximum WebSockets of one caller. */
const MOST_OF_ONE = 20;
/** Interval between checks of the listeners' access, in milliseconds. */
const CHECK_MS = 60_000;

export class Live extends DurableObject<Env> {
  #delivery: Promise<void> | undefined;
  #again = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(LIVE_PING, LIVE_PONG));
  }

  /** Requests of the dashboard Worker, which has authenticated them. */
  override async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === CONNECT_PATH)
      return this.#connect(listenOrder.parse(JSON.parse(decodeURIComponent(request.headers.get("x-listen") ?? "{}"))));
    if (pathname !== WAKE_PATH) return errorResponse(requestErrors.address_not_found);
    try {
      await this.#deliver();
      return new Response(null, { status: 204 });
    } catch (error) {
      log("error", "live.failed", { reason: reasonOf(error) });
      return errorResponse(serviceErrors.database_not_available);
    }
  }

  override async alarm(): Promise<void> {
    await this.#deliver().catch((error: unknown) => log("error", "live.failed", { reason: reasonOf(error) }));
    if (this.ctx.getWebSockets().length > 0) await this.ctx.storage.setAlarm(Date.now() + CHECK_MS);
  }

  /** Clients only send pings, which are answered automatically. */
  override webSocketMessage(socket: WebSocket): void {
    socket.close(1008, "Clients cannot send messages.");
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    // Reserved codes that cannot be sent.
    socket.close(code === 1005 || code === 1006 ? 1000 : code);
  }

  async #connect({ callerId, ...listener }: ListenOrder): Promise<Response> {
    if (this.ctx.getWebSockets(callerId).length >= MOST_OF_ONE) {
      return errorResponse(
        serviceErrors.too_many_open_dashboards,
        { most: MOST_OF_ONE },
        { headers: { "retry-after": "60" } },
      );
    }
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server, [callerId]);
    remember(server, { callerId, ...listener, ready: false, since: Date.now() });
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + CHECK_MS);
    this.ctx.waitUntil(this.#catchUp());
    return new Response(null, { status: 101, webSocket: client });
  }

  /** After a failure, listeners without events yet reconnect and continue. */
  async #catchUp(): Promise<void> {
    try {
      await this.#deliver();
    } catch (error) {
      log("error", "live.failed", { reason: reasonOf(error) });
      for (const listener of this.#listeners()) {
        if (!listener.state.ready) listener.close(LIVE_CLOSED.tryAgain, "Try again in a moment.");
      }
    }
  }

  /** Runs one delivery at a time, so that each listener gets events in order. */
  #deliver(): Promise<void> {
    this.#again = true;
    this.#delivery ??= this.#deliverAll().finally(() => {
      this.#delivery = undefined;
    });
    return this.#delivery;
  }

  async #deliverAll(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      const listeners = this.#listeners();
      if (listeners.length === 0) return;
      await readRepeatedly(async () => {
        const connection = new Connection(this.env.DB);
        try {
          await deliver(connection, listeners, Date.now());
        } finally {
          this.ctx.waitUntil(connection.close().catch(() => undefined));
        }
      });
    }
  }

  #listeners(): Listener[] {
    return this.ctx
      .getWebSockets()
      .filter((socket) => socket.readyState === WebSocket.OPEN)
      .map((socket) => new Listener(socket));
  }
}
