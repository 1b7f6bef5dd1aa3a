/**
 * Socket Mode of an app: https://docs.slack.dev/apis/events-api/using-socket-mode.
 *
 * How long a ticket is valid, and how often Slack pings, is not documented: here, a ticket opens one connection.
 */
import { randomUUID } from "node:crypto";
import type { WebSocket } from "ws";
import * as z from "zod";
import { APP_ID, type SlackEvent } from "./workspace.ts";

/** https://docs.slack.dev/apis/events-api/using-socket-mode#connect: "Socket Mode allows your app to maintain up to 10 open WebSocket connections" */
const MAX_CONNECTIONS = 10;
/** As for requests: https://docs.slack.dev/apis/events-api#responding. */
const DEADLINE_MS = 3_000;
/** Shorter than the 30 seconds after which Slack's own client gives up a connection (`serverPingTimeout` of @slack/socket-mode). */
const PING_MS = 10_000;
const HOST = "applink-1";

const acknowledgement = z.object({ envelope_id: z.string() });

export class SocketMode {
  /** Messages of the app that acknowledge nothing. */
  readonly unexpected: string[] = [];
  readonly #tickets = new Set<string>();
  readonly #connections = new Set<WebSocket>();
  readonly #waiting = new Map<string, () => void>();

  /** Returns the path of a new connection. */
  newTicket(): string {
    const ticket = randomUUID();
    this.#tickets.add(ticket);
    return `/link/?ticket=${ticket}&app_id=${APP_ID}`;
  }

  get connections(): number {
    return this.#connections.size;
  }

  connect(socket: WebSocket, { pathname, searchParams }: URL): void {
    const isKnown = this.#tickets.delete(searchParams.get("ticket") ?? "");
    if (pathname !== "/link/" || !isKnown || this.#connections.size >= MAX_CONNECTIONS) {
      // The code is not documented.
      socket.close(1008);
      return;
    }
    this.#connections.add(socket);
    const pings = setInterval(() => socket.ping(), PING_MS);
    socket.on("close", () => {
      clearInterval(pings);
      this.#connections.delete(socket);
    });
    socket.on("message", (data) => this.#receive(String(data)));
    const debug_info = { host: HOST, started: new Date().toISOString(), build_number: 1 };
    const hello = { type: "hello", connection_info: { app_id: APP_ID }, num_connections: this.#connections.size };
    send(socket, { ...hello, debug_info: { ...debug_info, approximate_connection_time: 18_060 } });
  }

  /** Sends an event by one of the connections. @returns whether the app acknowledged it in time */
  async send(event: SlackEvent): Promise<boolean> {
    const [socket] = this.#connections;
    if (socket === undefined) return false;
    const envelope_id = randomUUID();
    const acknowledged = Promise.withResolvers<boolean>();
    this.#waiting.set(envelope_id, () => acknowledged.resolve(true));
    const timer = setTimeout(() => acknowledged.resolve(false), DEADLINE_MS);
    send(socket, { payload: event, envelope_id, type: "events_api", accepts_response_payload: false });
    const result = await acknowledged.promise;
    clearTimeout(timer);
    this.#waiting.delete(envelope_id);
    return result;
  }

  /** Ends all connections, as Slack does after a while: the app has to open others. */
  refresh(): void {
    for (const socket of this.#connections) {
      send(socket, { type: "disconnect", reason: "refresh_requested", debug_info: { host: HOST } });
      socket.close();
    }
    this.#connections.clear();
  }

  #receive(text: string): void {
    const { data } = acknowledgement.safeParse(parsed(text));
    const acknowledge = this.#waiting.get(data?.envelope_id ?? "");
    if (acknowledge === undefined) this.unexpected.push(text);
    else acknowledge();
  }
}

const send = (socket: WebSocket, message: object) => socket.send(JSON.stringify(message));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
