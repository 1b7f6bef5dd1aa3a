import { createServer as createHttpServer, get } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
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
