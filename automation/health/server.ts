import { createServer, type ServerResponse } from "node:http";
import type { Registry } from "prom-client";

export interface HealthOptions {
  host: string;
  /** 0: any free port. */
  port: number;
  registry: Registry;
  /** Returns faults, one sentence each; empty if the service is healthy. */
  ailments(): Promise<string[]>;
}

/** Serves `GET /healthz` and `GET /metrics`. @throws Error if the port is not available */
export async function serveHealth(options: HealthOptions): Promise<{ url: string; stop(): Promise<void> }> {
  const { host, port } = options;
  const server = createServer((request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD")
      return sendResponse(response, 405, "text/plain", "Use GET.\n");
    const answering = answerHealthRequest(new URL(request.url ?? "/", "http://localhost").pathname, options, response);
    answering.catch(() => sendResponse(response, 503, "text/plain", "The database does not respond.\n"));
  });
  await new Promise<void>((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) =>
      reject(new Error(`Failed to serve health at ${host}:${port} (${error.code}). Set HEALTH_HOST and HEALTH_PORT.`));
    server.once("error", onError);
    server.listen(port, host, () => {
      server.off("error", onError);
      resolve();
    });
  });
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answerHealthRequest(
  path: string,
  { registry, ailments }: HealthOptions,
  response: ServerResponse,
): Promise<void> {
  if (path === "/healthz") {
    const found = await ailments();
    const body = found.length === 0 ? { status: "ok" } : { status: "unwell", ailments: found };
    return sendResponse(response, found.length === 0 ? 200 : 503, "application/json", `${JSON.stringify(body)}\n`);
  }
  if (path === "/metrics") return sendResponse(response, 200, registry.contentType, await registry.metrics());
  return sendResponse(response, 404, "text/plain", "Not found. Use /healthz or /metrics.\n");
}

function sendResponse(response: ServerResponse, status: number, type: string, body: string): void {
  if (response.headersSent) return;
  response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(body);
}
