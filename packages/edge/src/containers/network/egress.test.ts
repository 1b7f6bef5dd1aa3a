import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { listen } from "@tenantry/std/listening";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Egress, startEgress } from "./egress.ts";

const container = "workerd-tenant-acme";
const HOST = "metrics.internal";
const at = (host: string) => new URL(`http://${host}`);

let egressPort: number | undefined;
let ways: Egress;
let base: string;
beforeEach(async () => {
  egressPort = undefined;
  ways = await startEgress(
    (name) => (name === container ? egressPort : undefined),
    () => {},
  );
  base = ways.address(container, at(HOST));
});
afterEach(() => ways.stop());

const send = (address: string, init: RequestInit = {}) => fetch(address, { method: "POST", body: "{}", ...init });

test("returns a fixed URL for each container and host", () => {
  expect(ways.address(container, at(HOST))).toBe(base);
  expect(ways.address(container, at("another.internal"))).not.toBe(base);
  expect(ways.address("workerd-tenant-hooli", at(HOST))).not.toBe(base);
  expect(base).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}$/);
});

interface Seen {
  tunnel: IncomingHttpHeaders;
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Accepts tunnels as workerd does. */
async function startWorker(seen: Seen[], answer?: (response: ServerResponse) => void): Promise<Server> {
  const inner = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const tunnel = tunnels.get(request.socket) ?? {};
    if (answer !== undefined) return answer(response);
    seen.push({ tunnel, method, url, headers, body: await text(request) });
    response.writeHead(202, { "content-type": "text/x-answer", "x-more": "yes" }).end("taken");
  });
  const tunnels = new WeakMap<Socket, IncomingHttpHeaders>();
  const outer = createServer();
  outer.on("connect", (request, socket: Socket) => {
    tunnels.set(socket, { ...request.headers, to: request.url });
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    inner.emit("connection", socket);
  });
  egressPort = await listen(outer, { port: 0 });
  return outer;
}

const end = (worker: Server): void => {
  worker.closeAllConnections();
  worker.close();
};

test("passes request and response unchanged between a container and its Worker", async () => {
  const seen: Seen[] = [];
  const worker = await startWorker(seen);
  try {
    const kept = { "content-type": "application/json", "content-encoding": "gzip", "x-own": "1" };
    const response = await send(`${base}/v1/any?b=c`, {
      headers: { ...kept, "x-hostname": "another" },
      body: new Uint8Array(gzipSync("{}")),
    });
    expect([response.status, response.headers.get("x-more"), await response.text()]).toEqual([202, "yes", "taken"]);
    expect(seen[0]?.tunnel).toMatchObject({ to: `${HOST}:80`, "x-hostname": HOST });
    expect(seen[0]).toMatchObject({ method: "POST", url: "/v1/any?b=c", headers: { ...kept, host: HOST } });
    await fetch(`${ways.address(container, at("another.internal"))}/x`);
    expect(seen[1]).toMatchObject({ tunnel: { to: "another.internal:80" }, method: "GET", url: "/x" });
  } finally {
    end(worker);
  }
});

test("streams in both directions, and aborts the Worker when the client disconnects", async () => {
  let sending: ServerResponse | undefined;
  const worker = await startWorker([], (response) => {
    sending = response;
    response.writeHead(200).write("first");
  });
  try {
    const leaving = new AbortController();
    const response = await send(`${base}/`, { signal: leaving.signal });
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("first");
    sending?.write("second");
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("second");
    const closed = once(sending as ServerResponse, "close");
    leaving.abort();
    await closed;
  } finally {
    end(worker);
  }
});

test("aborts a response that the Worker aborts", async () => {
  const worker = await startWorker([], (response) => {
    response.writeHead(200).write("first", () => response.destroy());
  });
  try {
    const response = await send(`${base}/`);
    await expect(response.text()).rejects.toThrow();
  } finally {
    end(worker);
  }
});

test("returns 503 when no Worker accepts requests", async () => {
  expect((await send(`${base}/`)).status).toBe(503);
  const gone = createServer();
  egressPort = await listen(gone, { port: 0 });
  await new Promise((resolve) => gone.close(resolve));
  const response = await send(`${base}/`);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ error: { code: "worker_unavailable" } });
});

test("returns 404 for any other path", async () => {
  for (const path of ["/", "/v1/metrics", `/${"0".repeat(32)}/v1/metrics`])
    expect((await send(new URL(path, base).href)).status).toBe(404);
});
