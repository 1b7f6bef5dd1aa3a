/**
 * The ways that containers have out to their tenant Workers: a loopback address for each container and host that a Worker intercepts.
 * A real sidecar intercepts by the packet; that takes a network namespace.
 */
import { randomBytes } from "node:crypto";
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { HOP_BY_HOP } from "@tenantry/std/hop-by-hop";
import { closeAndCut, listen } from "@tenantry/std/listening";
import type { Log } from "@tenantry/std/log";

export interface WaysOut {
  /** Address at which a container finds a URL whose host its Worker intercepts, without a slash at its end. Nobody else knows it. */
  address(container: string, url: URL): string;
  stop(): Promise<void>;
}

interface Way {
  container: string;
  host: string;
}

const KEY = /^\/([0-9a-f]{32})(\/.*)$/;

/** Answers with an error of the edge's own. */
function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store", connection: "close" });
  response.end(JSON.stringify({ error: { code, message } }));
}

/** Names and values in turns, as they came, without those of one connection. */
function passed(raw: readonly string[], isKept: (name: string) => boolean = () => false): [string, string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const [name = "", value = ""] = raw.slice(index, index + 2);
    const isOfConnection = HOP_BY_HOP.has(name.toLowerCase()) && !isKept(name.toLowerCase());
    if (!isOfConnection && name.toLowerCase() !== "host") pairs.push([name, value]);
  }
  return pairs;
}

/** A tunnel to what workerd has in place of a host, as a sidecar opens it. */
function tunnel(port: number, host: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest({
      host: "127.0.0.1",
      port,
      method: "CONNECT",
      path: `${host}:80`,
      headers: { "x-hostname": host },
    });
    asked.once("error", reject);
    asked.once("connect", (answer, socket: Socket) => {
      if (answer.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`the Worker does not take what is sent to ${host}: ${answer.statusCode}`));
    });
    asked.end();
  });
}

/** @param egressPort where workerd takes what a container sends; `undefined` until it does */
export async function startWaysOut(egressPort: (container: string) => number | undefined, log: Log): Promise<WaysOut> {
  const ways = new Map<string, Way>();
  const keys = new Map<string, string>();

  const pass = async (
    port: number,
    host: string,
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const socket = await tunnel(port, host);
    // A program that is gone waits for nothing any more.
    if (response.destroyed) return void socket.destroy();
    const isUpgrade = request.headers.upgrade !== undefined;
    const onward = httpRequest({
      createConnection: () => socket,
      method: request.method,
      path,
      headers: grouped([
        ...passed(request.rawHeaders, (name) => isUpgrade && name === "upgrade"),
        ...framing(request),
        ["host", host],
        ["connection", isUpgrade ? "upgrade" : "close"],
      ]),
    });
    // A mere end might be that of what is sent; who waits for the answer is gone.
    response.once("close", () => {
      if (!response.writableFinished) socket.resetAndDestroy();
      onward.destroy();
    });
    onward.flushHeaders();
    request.pipe(onward);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      onward.once("response", resolve);
      onward.once("error", reject);
      onward.once("upgrade", (_answer, upgraded) => {
        upgraded.destroy();
        reject(new Error("no WebSocket passes this way"));
      });
    });
    response.writeHead(answer.statusCode ?? 502, grouped(passed(answer.rawHeaders)));
    response.flushHeaders();
    answer.once("error", () => response.destroy());
    answer.pipe(response);
  };

  const server = createServer((request, response) => {
    const [, key = "", path = ""] = KEY.exec(request.url ?? "") ?? [];
    const way = ways.get(key);
    if (way === undefined) return refuse(response, 404, "not_found", "Nothing is here.");
    const { container, host } = way;
    const unreachable = (message: string) => {
      log("containers", "way-out-failed", { container, host, message });
      if (response.headersSent) response.destroy();
      else refuse(response, 503, "worker_unavailable", "The container's Worker cannot be reached; try again.");
    };
    const port = egressPort(container);
    if (port === undefined) return unreachable("no Worker has taken the container up");
    pass(port, host, path, request, response).catch((error: unknown) => {
      if (!response.destroyed) unreachable(String(error));
    });
  });
  const port = await listen(server, { port: 0 });

  return {
    address(container, { host, pathname }) {
      const name = `${container} ${host}`;
      const key = keys.get(name) ?? randomBytes(16).toString("hex");
      keys.set(name, key);
      ways.set(key, { container, host });
      return `http://127.0.0.1:${port}/${key}${pathname.replace(/\/$/, "")}`;
    },
    stop: () => closeAndCut(server),
  };
}

/** How a body without a length is told to come in pieces. */
const framing = ({ headers }: IncomingMessage): [string, string][] =>
  headers["transfer-encoding"] === undefined ? [] : [["transfer-encoding", "chunked"]];

/** As Node takes them: those of one name together. */
function grouped(pairs: readonly [string, string][]): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of pairs) {
    const lower = name.toLowerCase();
    const before = headers[lower];
    headers[lower] = before === undefined ? value : [before, value].flat();
  }
  return headers;
}
