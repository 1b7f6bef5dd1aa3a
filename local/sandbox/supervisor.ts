/** A sandbox's HTTP server on a unix socket: the protocol of `workers/contracts/sandbox.ts`. */
import { chmodSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { errorResponse } from "../../workers/contracts/errors.ts";
import {
  SANDBOX_PORT_HEADER,
  SANDBOX_PROBE_HEADER,
  startRequest,
  trafficAnswer,
} from "../../workers/contracts/sandbox.ts";
import type { Log } from "../log.ts";
import { createArchiveApp } from "./archives.ts";
import { DataFrames } from "./data-frames.ts";
import { proxyRequest, proxyUpgrade, refuseUpgrade, sendClosed, type UpgradeTraffic } from "./port-proxy.ts";
import type { Sandbox } from "./sandbox.ts";

const MAX_LOG_LINES = 1_000;

function createApp(sandbox: Sandbox, log: Log): Hono {
  const app = new Hono();
  app.put("/processes/gateway-start", async (c) => {
    const parsed = startRequest.safeParse(await c.req.json().catch(() => undefined));
    if (!parsed.success)
      return errorResponse("invalid_request", "Send { env } with names in capitals and string values.");
    const answer = await sandbox.start(parsed.data.env);
    return c.json(answer, answer.started ? 201 : 200);
  });
  app.delete("/processes", async (c) => {
    const idleMs = c.req.query("idleMs");
    if (idleMs !== undefined && !/^\d{1,12}$/.test(idleMs))
      return errorResponse("invalid_request", "idleMs must be a whole number of milliseconds.");
    const killed = await sandbox.kill(idleMs === undefined ? undefined : Number(idleMs));
    return c.json(killed === undefined ? { killed: 0, busy: true } : { killed });
  });
  app.delete("/", async (c) => c.json({ killed: await sandbox.sleep() }));
  app.put("/traffic", async (c) => {
    const parsed = trafficAnswer.safeParse(await c.req.json().catch(() => undefined));
    if (!parsed.success) return errorResponse("invalid_request", "Send { passes }.");
    sandbox.passes = parsed.data.passes;
    return c.json(parsed.data);
  });
  app.get("/log", (c) => {
    const lines = Number(c.req.query("lines") ?? 100);
    if (!Number.isInteger(lines) || lines < 1 || lines > MAX_LOG_LINES)
      return errorResponse("invalid_request", `lines must be a whole number from 1 to ${MAX_LOG_LINES}.`);
    return c.json({ lines: sandbox.logLines(lines) });
  });
  app.route("/", createArchiveApp(sandbox));
  app.notFound(() => errorResponse("not_found", "The sandbox supervisor has no such path."));
  app.onError((error) => {
    log("sandbox", "supervisor.error", { message: error.message });
    return errorResponse("internal", "The sandbox supervisor failed; see the edge's log.");
  });
  return app;
}

/** `GET /processes`, which every snapshot waits for, by the shortest way. */
function sendProcesses(sandbox: Sandbox, response: ServerResponse, log: Log): void {
  try {
    const body = JSON.stringify(sandbox.list());
    response
      .writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
      .end(body);
  } catch (error) {
    log("sandbox", "supervisor.error", { message: String(error) });
    response.writeHead(500).end();
  }
}

function targetPort(request: IncomingMessage, sandbox: Sandbox): number | undefined {
  const value = request.headers[SANDBOX_PORT_HEADER];
  return typeof value === "string" && /^\d{1,5}$/.test(value) ? sandbox.mappedPort(Number(value)) : undefined;
}

/** Tells the sandbox's meter of one WebSocket. */
function webSocketTraffic({ meter }: Sandbox): UpgradeTraffic {
  const frames = new DataFrames();
  return {
    opened: () => meter?.opened(),
    received: (bytes) => {
      if (frames.sees(bytes)) meter?.message();
    },
  };
}

export interface Supervisor {
  /** Path of the unix socket. */
  socket: string;
  /** Ends the server, not the sandbox's processes. */
  stop(): Promise<void>;
}

/** Serves `sandbox` on a unix socket that only this user may open. A socket left by a process that died is replaced. */
export async function startSupervisor(sandbox: Sandbox, socket: string, log: Log): Promise<Supervisor> {
  const listener = getRequestListener(createApp(sandbox, log).fetch, { overrideGlobalObjects: false });
  const upgraded = new Set<{ destroy(): void }>();
  const server: Server = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (request.headers[SANDBOX_PORT_HEADER] === undefined) {
      if (request.method === "GET" && request.url === "/processes") return sendProcesses(sandbox, response, log);
      return void listener(request, response);
    }
    const port = targetPort(request, sandbox);
    if (port === undefined) return void sendClosed(response);
    if (request.headers[SANDBOX_PROBE_HEADER] === undefined) {
      if (!sandbox.passes) return void sendClosed(response);
      const end = sandbox.meter?.begin();
      if (end !== undefined) response.once("close", end);
    }
    proxyRequest(request, response, port);
  });
  server.on("upgrade", (request, connection, first) => {
    upgraded.add(connection);
    connection.once("close", () => upgraded.delete(connection));
    const port = targetPort(request, sandbox);
    if (port === undefined || !sandbox.passes) refuseUpgrade(connection);
    else proxyUpgrade(request, connection, first, port, webSocketTraffic(sandbox));
  });
  server.keepAliveTimeout = 60_000;
  server.requestTimeout = 0;
  rmSync(socket, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socket, resolve);
  });
  chmodSync(socket, 0o600);
  return {
    socket,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        for (const connection of upgraded) connection.destroy();
      }),
  };
}
