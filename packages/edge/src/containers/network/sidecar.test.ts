/** The end of connections through a sidecar. */
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { listen } from "@tenantry/std/listening";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connectLoopback, type Sidecar, startSidecar } from "./sidecar.ts";

/** The server of the container. It responds `hello`, and ends a connection when the test requests it. */
let gateway: Server;
let inside: Socket[];
let sidecar: Sidecar;
beforeEach(async () => {
  inside = [];
  gateway = createServer({ allowHalfOpen: true }, (socket) => {
    inside.push(socket);
    socket.on("error", () => {});
    socket.once("data", () => socket.write("hello"));
  });
  const port = await listen(gateway, { port: 0 });
  sidecar = await startSidecar(() => connectLoopback(port));
});
afterEach(async () => {
  await sidecar.stop();
  for (const socket of inside) socket.destroy();
  gateway.close();
});

/** Opens a connection and waits for the response. */
async function answered(): Promise<Socket> {
  const socket = connect({ port: sidecar.port, allowHalfOpen: true });
  socket.write("CONNECT container:1 HTTP/1.1\r\nhost: container:1\r\n\r\n");
  expect(String(await once(socket, "data"))).toContain("200 OK");
  socket.write("hi");
  expect(String(await once(socket, "data"))).toBe("hello");
  return socket;
}

/** @returns the error that closed it, if any */
async function closed(socket: Socket): Promise<unknown> {
  socket.resume();
  return new Promise((resolve) => {
    socket.once("error", resolve);
    socket.once("close", () => resolve(undefined));
  });
}

test("ends a connection that the client ended first without a reset", async () => {
  const socket = await answered();
  const [client] = inside;
  socket.end();
  await once(client?.resume() ?? socket, "end");
  const end = closed(socket);
  client?.end();
  expect(await end).toBeUndefined();
});

test("resets connections that only the container has ended", async () => {
  const sockets = await Promise.all(Array.from({ length: 50 }, answered));
  const ends = sockets.map(closed);
  for (const socket of inside) socket.end();
  for (const error of await Promise.all(ends)) expect(error).toMatchObject({ code: "ECONNRESET" });
});
