import { createServer, type Server } from "node:http";
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from "node:net";
import { listen } from "@tenantry/std/listening";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { relayRequest } from "./relay.ts";

/** Behaves as workerd when a Worker responds before it has read the body: it closes the connection on the next request. */
let runtime: TcpServer;
let front: Server;
let connections = 0;
beforeAll(async () => {
  runtime = createTcpServer((socket) => {
    connections += 1;
    let answered = false;
    socket.on("error", () => undefined);
    socket.on("data", (data) => {
      if (answered && /^(GET|POST) /.test(data.toString())) return void socket.destroy();
      if (!answered) socket.write("HTTP/1.1 401 Unauthorized\r\ncontent-length: 2\r\n\r\nno");
      answered = true;
    });
  });
  const port = await listen(runtime, { port: 0 });
  front = createServer((request, response) => {
    const { host: _, ...headers } = request.headers as Record<string, string>;
    relayRequest(request, response, { port, url: "http://acme.test/", headers }, () => false).catch(() => {
      response.writeHead(502).end();
    });
  });
  await listen(front, { port: 0 });
});
/** Connects to a relay in front of a server. All of them end with the test. */
async function connectThroughRelay(server: TcpServer): Promise<Socket> {
  const port = await listen(server, { port: 0 });
  const relay = createServer((request, response) => {
    const { host: _, ...headers } = request.headers as Record<string, string>;
    void relayRequest(request, response, { port, url: "http://acme.test/", headers }, () => false);
  });
  const client = connect(await listen(relay, { port: 0 }), "127.0.0.1");
  onTestFinished(() => {
    client.destroy();
    relay.closeAllConnections();
    relay.close();
    server.close();
  });
  return client;
}

afterAll(async () => {
  await new Promise((resolve) => front.close(resolve));
  await new Promise((resolve) => runtime.close(resolve));
});

test("serves requests after a body that the Worker did not read", async () => {
  const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}/`;
  const send = async () =>
    (await fetch(url, { method: "POST", body: "text", headers: { connection: "close" } })).status;
  expect([await send(), await send(), await send()]).toEqual([401, 401, 401]);
  expect(connections).toBe(3);
});

test("does not block a connection by the rest of a body that the Worker did not read", async () => {
  // Responds to the first bytes of each connection and reads no more.
  const unreading = createTcpServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.pause();
      socket.write("HTTP/1.1 413 Payload Too Large\r\ncontent-length: 2\r\n\r\nno");
    });
  });
  const client = await connectThroughRelay(unreading);
  let received = "";
  client.on("data", (bytes) => {
    received += bytes;
  });
  const answers = () => received.match(/HTTP\/1\.1 413/g)?.length ?? 0;
  const size = 32 * 1024 * 1024;
  client.write(`POST / HTTP/1.1\r\nHost: acme.test\r\nContent-Length: ${size}\r\n\r\n`);
  client.write(Buffer.alloc(size));
  await expect.poll(answers).toBe(1);
  client.write("GET / HTTP/1.1\r\nHost: acme.test\r\n\r\n");
  await expect.poll(answers, { timeout: 10_000 }).toBe(2);
});

test("passes on the bytes of headers, also when the body comes later", async () => {
  const late = createTcpServer((socket) => {
    socket.once("data", () => {
      socket.write(Buffer.from("HTTP/1.1 200 OK\r\nx-name: \u00e4\r\ncontent-length: 2\r\n\r\n"));
    });
  });
  const client = await connectThroughRelay(late);
  let received = Buffer.alloc(0);
  client.on("data", (bytes) => {
    received = Buffer.concat([received, bytes]);
  });
  client.write("GET / HTTP/1.1\r\nHost: acme.test\r\n\r\n");
  await expect.poll(() => received.toString()).toContain("x-name: \u00e4\r\n");
});
