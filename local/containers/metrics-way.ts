/**
 * The way that containers have out to their tenant Workers, for metrics alone: a loopback address a container, which stands in
 * for the host that the Worker intercepts. A real sidecar intercepts by the packet; that takes a network namespace.
 */
import { randomBytes } from "node:crypto";
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { errorResponse } from "../../workers/contracts/errors.ts";
import { METRICS_PATH } from "../../workers/contracts/internal.ts";
import { METRICS_HOST } from "../../workers/contracts/sandbox.ts";
import { closeAndCut, listen } from "../http/listening.ts";
import type { Log } from "../log.ts";

export interface MetricsWay {
  /** Where a container sends metrics. Nobody else knows it. */
  address(container: string): string;
  stop(): Promise<void>;
}

/** All else a program sends could claim to be the platform's. */
const PASSED = ["content-type", "content-encoding", "content-length", "user-agent"];

async function send(response: ServerResponse, answer: Response): Promise<void> {
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), connection: "close" });
  response.end(await answer.text());
}

/** A tunnel to what workerd has in place of the metrics' host, as a sidecar opens it. */
function tunnel(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const path = `${METRICS_HOST}:80`;
    const asked = httpRequest({
      host: "127.0.0.1",
      port,
      method: "CONNECT",
      path,
      headers: { "x-hostname": METRICS_HOST },
    });
    asked.once("error", reject);
    asked.once("connect", (answer, socket: Socket) => {
      if (answer.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`the Worker does not take metrics: ${answer.statusCode}`));
    });
    asked.end();
  });
}

/** @param egressPort where workerd takes what a container sends; `undefined` until it does */
export async function startMetricsWay(
  egressPort: (container: string) => number | undefined,
  log: Log,
): Promise<MetricsWay> {
  const containers = new Map<string, string>();
  const keys = new Map<string, string>();

  const pass = async (port: number, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const socket = await tunnel(port);
    const headers = Object.fromEntries(
      PASSED.flatMap((name) => {
        const value = request.headers[name];
        return value === undefined ? [] : [[name, value]];
      }),
    );
    const onward = httpRequest({
      createConnection: () => socket,
      method: "POST",
      path: METRICS_PATH,
      headers: { ...headers, host: METRICS_HOST, connection: "close" },
    });
    response.once("close", () => onward.destroy());
    request.pipe(onward);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      onward.once("response", resolve);
      onward.once("error", reject);
    });
    response.writeHead(answer.statusCode ?? 502, { "content-type": answer.headers["content-type"] ?? "text/plain" });
    answer.pipe(response);
  };

  const server = createServer((request, response) => {
    const container = containers.get(request.url ?? "");
    if (container === undefined) return void send(response, errorResponse("not_found", "Nothing is here."));
    if (request.method !== "POST")
      return void send(
        response,
        errorResponse("method_not_allowed", `${request.method} is not a method of this path.`),
      );
    const unreachable = (message: string) => {
      log("containers", "metrics-failed", { container, message });
      if (response.headersSent) response.destroy();
      else void send(response, errorResponse("tenant_unavailable", "The tenant Worker cannot be reached; try again."));
    };
    const port = egressPort(container);
    if (port === undefined) return unreachable("no Worker has taken the container up");
    pass(port, request, response).catch((error: unknown) => unreachable(String(error)));
  });
  const port = await listen(server, { port: 0 });

  return {
    address(container) {
      const path = keys.get(container) ?? `/${randomBytes(16).toString("hex")}/v1/metrics`;
      keys.set(container, path);
      containers.set(path, container);
      return `http://127.0.0.1:${port}${path}`;
    },
    stop: () => closeAndCut(server),
  };
}
