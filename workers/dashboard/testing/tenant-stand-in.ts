/** Responses of tenant Workers to the dispatch Worker in tests of the dashboard. */

import { Response, WebSocketPair } from "@tenantry/edge/workerd";
import type { Request, WebSocket } from "miniflare";

export interface TenantStandIn {
  /** Received requests, as `METHOD worker path as role`. */
  asked: string[];
  /** Responses by path: status and a body of JSON or bytes, or a response that never arrives. */
  answers: Map<string, { status?: number; body?: unknown } | Promise<never>>;
  /** Received bodies that are not JSON: declared length, received bytes, and who sent it. */
  uploads: { length: string | null; bytes: number; requester: string | null }[];
  /** All WebSockets by path, including closed ones. */
  sockets: Map<string, WebSocket>;
  /** Keeps WebSockets open at this path. Closes those at other paths at once. */
  streamsAt: string | undefined;
  answer(request: Request): Promise<Response>;
}

export function tenantStandIn(): TenantStandIn {
  const asked: string[] = [];
  const uploads: TenantStandIn["uploads"] = [];
  const answers: TenantStandIn["answers"] = new Map();
  const sockets: TenantStandIn["sockets"] = new Map();
  const standIn: TenantStandIn = {
    asked,
    uploads,
    answers,
    sockets,
    streamsAt: undefined,
    async answer(request) {
      const { pathname, search } = new URL(request.url);
      const path = `${pathname}${search}`;
      const worker = request.headers.get("test-worker");
      asked.push(`${request.method} ${worker} ${path} as ${request.headers.get("x-platform-role")}`);
      if (request.headers.get("upgrade") === "websocket") {
        // Miniflare uses a connection again on which an upgrade was answered otherwise, and hears nothing there any more.
        const { 0: client, 1: server } = new WebSocketPair();
        server.accept();
        if (path === standIn.streamsAt) sockets.set(path, server);
        else server.close(1013, "no stream");
        return new Response(null, { status: 101, webSocket: client });
      }
      if (request.method === "POST" && request.headers.get("content-type") === null && request.body !== null) {
        const { byteLength: bytes } = await request.arrayBuffer();
        const { headers } = request;
        uploads.push({ length: headers.get("content-length"), bytes, requester: headers.get("x-platform-requester") });
      }
      const { status = 200, body } = (await answers.get(path)) ?? { status: 404, body: {} };
      if (body instanceof Uint8Array) return new Response(body, { status });
      return body === undefined ? new Response(null, { status }) : Response.json(body, { status });
    },
  };
  return standIn;
}
