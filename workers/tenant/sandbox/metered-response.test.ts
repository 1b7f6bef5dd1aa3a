import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare } from "@tenantry/edge/workerd";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { type SandboxActivity, sandboxActivity } from "#workers/contracts/tenant/sandbox.ts";
import { bundleProgram } from "#workers/testing/bundle-program.ts";
import { eventually } from "../testing/harness.ts";

const directory = mkdtempSync(join(tmpdir(), "metered-response-"));
const sockets = new WebSocketServer({ noServer: true });
let streaming: ServerResponse | undefined;
const upstream = createServer((request, response) => {
  if (request.url === "/sized") return void response.writeHead(200, { "content-length": "5" }).end("bytes");
  if (request.url === "/cut")
    return void response.writeHead(200, { "content-length": "500" }).write("bytes", () => response.destroy());
  if (request.url === "/empty") return void response.writeHead(204).end();
  streaming = response;
  response.writeHead(200).write("first ");
});
let miniflare: Miniflare;
let url: string;

beforeAll(async () => {
  const script = await bundleProgram("workers/tenant/sandbox/testing/metered-worker.ts");
  upstream.on("upgrade", (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.on("message", (data, isBinary) => {
        if (String(data) === "bye") client.close(4001, "as you wish");
        else client.send(data, { binary: isBinary });
      });
      client.send("hello");
    }),
  );
  const path = join(directory, "upstream.sock");
  upstream.listen(path);
  await once(upstream, "listening");
  miniflare = new Miniflare({
    modules: true,
    script,
    compatibilityDate: "2026-07-01",
    compatibilityFlags: ["nodejs_compat"],
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
    durableObjects: { METERED: { className: "Metered", useSQLite: true } },
    serviceBindings: { UPSTREAM: { external: { address: `unix:${path}`, http: {} } } },
  });
  url = (await miniflare.unsafeGetDirectURL()).href.replace(/\/$/, "");
}, 120_000);

afterAll(async () => {
  await miniflare.dispose();
  upstream.close();
  upstream.closeAllConnections();
  rmSync(directory, { recursive: true });
});

const activity = async (): Promise<SandboxActivity> =>
  sandboxActivity.parse(await (await fetch(`${url}/activity`)).json());

test("keeps a known length, and an empty response empty", async () => {
  const sized = await fetch(`${url}/sized`);
  expect([sized.headers.get("content-length"), await sized.text()]).toEqual(["5", "bytes"]);
  expect((await fetch(`${url}/sized`, { method: "HEAD" })).headers.get("content-length")).toBe("5");
  expect((await fetch(`${url}/empty`)).status).toBe(204);
  await eventually(async () => (await activity()).idleMs > 0);
});

test("breaks the client's response and ends the traffic when a response breaks", async () => {
  await expect(fetch(`${url}/cut`).then((response) => response.text())).rejects.toThrow();
  await eventually(async () => (await activity()).idleMs > 0);
});

test("counts a streaming response as traffic until its end", async () => {
  const before = await activity();
  const response = await fetch(`${url}/stream`);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe("first ");
  await eventually(async () => (await activity()).activeMs > before.activeMs + 200);
  expect((await activity()).idleMs).toBe(0);
  streaming?.end("last");
  expect((await reader?.read())?.value).toBe("last");
  expect((await reader?.read())?.done).toBe(true);
  await eventually(async () => (await activity()).idleMs > 0);
});

test("ends the traffic when the client disconnects", async () => {
  const leave = new AbortController();
  await fetch(`${url}/stream`, { signal: leave.signal });
  expect((await activity()).idleMs).toBe(0);
  leave.abort();
  await eventually(async () => {
    streaming?.write("more ");
    return (await activity()).idleMs > 0;
  });
});

test("passes text, bytes and close codes of a WebSocket, and counts only the client's messages", async () => {
  const before = await activity();
  const socket = new WebSocket(`${url.replace("http", "ws")}/socket`);
  const messages: string[] = [];
  socket.on("message", (data, isBinary) => messages.push(`${isBinary ? "bytes" : "text"} ${data}`));
  await eventually(() => messages.length === 1);
  await eventually(async () => (await activity()).idleMs > 1_200);
  socket.send("a question");
  await eventually(() => messages.length === 2);
  expect((await activity()).idleMs).toBeLessThan(1_000);
  socket.send(Buffer.from("raw"));
  await eventually(() => messages.length === 3);
  expect(messages).toEqual(["text hello", "text a question", "bytes raw"]);
  expect((await activity()).webSocketSessions).toBe(before.webSocketSessions + 1);
  const closed = once(socket, "close");
  socket.send("bye");
  const [code, reason] = await closed;
  expect([code, String(reason)]).toEqual([4001, "as you wish"]);
});
