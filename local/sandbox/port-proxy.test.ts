import { createServer as createHttpServer, get, type IncomingMessage } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { proxyRequest } from "./port-proxy.ts";

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

it.each([
  ["a status that HTTP does not know", "HTTP/1.1 099 odd\r\ncontent-length: 0\r\n\r\n"],
  [
    "a switch of protocols that nobody asked for",
    "HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
  ],
  ["something that is not HTTP", "nonsense\r\n\r\n"],
])("answers %s by 502, and lives on", async (_, answer) => {
  const gateway = await listening(
    createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.end(answer));
    }),
  );
  const proxy = await listening(createHttpServer((request, response) => proxyRequest(request, response, gateway)));
  for (let round = 0; round < 2; round += 1) {
    const status = await new Promise((resolve, reject) => {
      get({ host: "127.0.0.1", port: proxy, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on("error", reject);
    });
    expect(status).toBe(502);
  }
});

/** A gateway that answers by `write`, and a proxy before it. @returns the proxy's port */
async function proxied(write: (socket: Socket) => void): Promise<number> {
  const gateway = await listening(
    createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => write(socket));
    }),
  );
  return listening(createHttpServer((request, response) => proxyRequest(request, response, gateway)));
}

function answerOf(port: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port, agent: false }, resolve).on("error", reject);
  });
}

it("passes the head on while the body has not begun", async () => {
  let body: (() => void) | undefined;
  const port = await proxied((socket) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n");
    body = () => socket.end("whole");
  });
  const answer = await answerOf(port);
  body?.();
  expect(await text(answer)).toBe("whole");
});

it("passes on an answer that came in one piece", async () => {
  const port = await proxied((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nwhole"));
  expect(await text(await answerOf(port))).toBe("whole");
});

it.each([
  ["a length", "content-length: 50\r\n\r\nhalf"],
  ["chunks", "transfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n"],
])("breaks off where the port breaks off, with %s", async (_, rest) => {
  const port = await proxied((socket) => socket.end(`HTTP/1.1 200 OK\r\n${rest}`));
  await expect(answerOf(port).then(text)).rejects.toThrow();
});
