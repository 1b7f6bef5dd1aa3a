import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type MetricsWay, startMetricsWay } from "./metrics-way.ts";

const container = "workerd-tenant-acme";

let egressPort: number | undefined;
let way: MetricsWay;
beforeEach(async () => {
  egressPort = undefined;
  way = await startMetricsWay(
    (name) => (name === container ? egressPort : undefined),
    () => {},
  );
});
afterEach(() => way.stop());

const send = (address: string, init: RequestInit = {}) => fetch(address, { method: "POST", body: "{}", ...init });

test("each container has its own address, which stays", () => {
  const address = way.address(container);
  expect(way.address(container)).toBe(address);
  expect(way.address("workerd-tenant-hooli")).not.toBe(address);
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/v1\/metrics$/);
});

interface Seen {
  tunnel: IncomingHttpHeaders;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Takes tunnels as workerd does for what a container sends. */
async function startWorker(seen: Seen[]): Promise<Server> {
  const inner = createServer(async (request, response) => {
    const { url, headers } = request;
    seen.push({ tunnel: tunnels.get(request.socket) ?? {}, url, headers, body: await text(request) });
    response.writeHead(202, { "content-type": "text/x-answer" }).end("taken");
  });
  const tunnels = new WeakMap<Socket, IncomingHttpHeaders>();
  const outer = createServer();
  outer.on("connect", (request, socket: Socket) => {
    tunnels.set(socket, { ...request.headers, to: request.url });
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    inner.emit("connection", socket);
  });
  await new Promise<void>((resolve) => outer.listen(0, "127.0.0.1", resolve));
  return outer;
}

test("what is posted reaches the container's own Worker, with nothing by which it could claim to be somebody", async () => {
  const seen: Seen[] = [];
  const worker = await startWorker(seen);
  try {
    egressPort = (worker.address() as AddressInfo).port;
    const claims = { "x-platform-role": "ROOT", authorization: "Bearer x", cookie: "a=b", "x-hostname": "another" };
    const body = new Uint8Array(gzipSync("{}"));
    const kept = { "content-type": "application/json", "content-encoding": "gzip" };
    const response = await send(way.address(container), { headers: { ...claims, ...kept }, body });
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
      202,
      "text/x-answer",
      "taken",
    ]);
    expect(seen).toHaveLength(1);
    expect(seen[0]?.tunnel).toMatchObject({ to: "metrics.internal:80", "x-hostname": "metrics.internal" });
    expect(seen[0]?.url).toBe("/api/internal/metrics");
    expect(seen[0]?.headers).toMatchObject({ ...kept, host: "metrics.internal" });
    for (const name of Object.keys(claims)) expect(seen[0]?.headers).not.toHaveProperty(name);
  } finally {
    worker.closeAllConnections();
    worker.close();
  }
});

test("says so when no Worker takes it", async () => {
  const address = way.address(container);
  expect((await send(address)).status).toBe(503);
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
  egressPort = (gone.address() as AddressInfo).port;
  await new Promise((resolve) => gone.close(resolve));
  const response = await send(address);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ error: { code: "tenant_unavailable" } });
});

test("takes metrics alone", async () => {
  const address = way.address(container);
  expect((await fetch(address)).status).toBe(405);
  for (const path of ["/", "/v1/metrics", "/api/internal/tick"])
    expect((await send(new URL(path, address).href)).status).toBe(404);
});
