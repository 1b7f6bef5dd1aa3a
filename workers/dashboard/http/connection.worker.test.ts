/** A connection to the database in workerd, from a server that resets it. */
import { createServer, type Socket } from "node:net";
import { Miniflare } from "@tenantry/edge/workerd";
import { listen } from "@tenantry/std/listening";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleProgram } from "#workers/testing/bundle-program.ts";

/** Whether the end of the reset is seen depends on the order of the socket's events. */
const CONNECTIONS = 60;
/** `AuthenticationOk` and `ReadyForQuery`: postgresql.org/docs/current/protocol-message-formats.html */
const LOGGED_IN = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

const open = new Set<Socket>();
let resetsAt: "login" | "query";
const server = createServer((socket) => {
  open.add(socket);
  socket.on("error", () => socket.destroy());
  socket.on("close", () => open.delete(socket));
  socket.once("data", () => {
    if (resetsAt === "login") return socket.resetAndDestroy();
    socket.write(LOGGED_IN);
    socket.once("data", () => socket.resetAndDestroy());
  });
});
let miniflare: Miniflare;
beforeAll(async () => {
  const port = await listen(server, { port: 0 });
  miniflare = new Miniflare({
    modules: true,
    script: await bundleProgram("workers/dashboard/http/testing/connection-worker.ts", ["nodejs_compat"]),
    compatibilityDate: "2026-07-01",
    compatibilityFlags: ["nodejs_compat"],
    hyperdrives: { DB: `postgres://tenantry:none@127.0.0.1:${port}/tenantry?sslmode=disable` },
  });
});
afterAll(async () => {
  await miniflare?.dispose();
  for (const socket of open) socket.destroy();
  server.close();
});

test.each(["login", "query"] as const)(
  "a reset at the %s fails the query, which does not wait for its timeout",
  async (at) => {
    resetsAt = at;
    const errors = new Set<string>();
    for (let count = 0; count < CONNECTIONS; count++)
      errors.add(await (await miniflare.dispatchFetch("http://dashboard.test/")).text());
    expect([...errors].filter((error) => !/Connection terminated|Network connection lost/.test(error))).toEqual([]);
  },
);
