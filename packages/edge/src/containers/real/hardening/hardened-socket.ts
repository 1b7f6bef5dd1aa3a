/** A socket of a container engine for workerd. It adds to created containers what workerd does not set, and passes all other calls on. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import type { Log } from "@tenantry/std/log";
import { type EngineRelay, forwardCall, startEngineRelay } from "../../engine-relay.ts";
import { type CreateBody, createBody } from "./hardening.ts";

interface SocketOptions {
  /** Of the engine. */
  socket: string;
  /** Of the new socket. */
  path: string;
  harden(name: string, body: CreateBody): Promise<CreateBody>;
  /** Removes a container by a function, with what belongs to it. */
  remove(name: string, removeContainer: () => Promise<number>): Promise<number>;
  log: Log;
}

const CREATE = "/containers/create";
const REMOVE = /^\/containers\/([^/]+)$/;

/** @throws Error when the socket cannot be created */
export function startHardenedSocket({ socket, path, harden, remove, log }: SocketOptions): Promise<EngineRelay> {
  /** Returns the body of a created container; `undefined` for other calls. */
  const bodyOf = async (incoming: IncomingMessage, url: URL): Promise<string | undefined> => {
    if (incoming.method !== "POST" || url.pathname !== CREATE) return undefined;
    const created = createBody.parse(await json(incoming));
    return JSON.stringify(await harden(url.searchParams.get("name") ?? "", created));
  };
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(incoming.url ?? "/", "http://engine");
    let body: string | undefined;
    try {
      body = await bodyOf(incoming, url);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      log("containers", "call-failed", { url: incoming.url, message });
      response.writeHead(500, { "content-type": "application/json" }).end(JSON.stringify({ message }));
      return;
    }
    const removed = incoming.method === "DELETE" ? REMOVE.exec(url.pathname)?.[1] : undefined;
    // Volumes end with their container.
    if (removed !== undefined) url.searchParams.set("v", "true");
    const forward = () => forwardCall(socket, incoming, response, { path: url.pathname + url.search, body });
    await (removed === undefined ? forward() : remove(removed, forward));
  };
  return startEngineRelay({ socketPath: socket, path, serve });
}
