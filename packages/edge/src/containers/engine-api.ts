/**
 * The calls of Docker's Engine API that workerd makes, on a unix socket. workerd does not document them; `workerd-calls.test.ts` lists them.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { posix } from "node:path";
import type { Duplex } from "node:stream";
import { buffer, json } from "node:stream/consumers";
import type { Log } from "@tenantry/std/log";
import * as z from "zod";
import type { Container } from "./container.ts";
import { NO_APPLICATION_MESSAGE, StartRefused } from "./deployments.ts";
import { Exec } from "./exec.ts";
import { INGRESS, NO_APPLICATION, SIDECAR_SUFFIX } from "./names.ts";
import { readArchive } from "./network/archive.ts";
import type { Sidecar } from "./network/sidecar.ts";

export interface Containers {
  /** Returns a container. Resumes it when it ran in an earlier edge. */
  find(name: string): Promise<Container | undefined>;
  /** @throws StartRefused when no container may start; Error when the account has no script for the name */
  create(name: string, o: { image: string; env: Record<string, string>; command?: string[] }): Promise<Container>;
  remove(name: string): Promise<boolean>;
  sidecar(name: string): Promise<Sidecar | undefined>;
  /** @param internet whether the container may reach the internet, until workerd says so. Default: false */
  createSidecar(name: string, internet?: boolean): Promise<void>;
  removeSidecar(name: string): Promise<boolean>;
}

/** Messages of refused starts by name, until workerd has asked for them. */
type Refusals = Map<string, string>;
type Execs = Map<string, { container: Container; exec: Exec }>;

const RETENTION_MS = 60_000;

const createBody = z.looseObject({
  Image: z.string(),
  Env: z.array(z.string()).nullish(),
  Cmd: z.array(z.string()).nullish(),
});
const execBody = z.looseObject({
  Cmd: z.array(z.string()).min(1),
  Env: z.array(z.string()).nullish(),
  WorkingDir: z.string().nullish(),
});

function parseVariables(lines: readonly string[] | null | undefined): Record<string, string> {
  return Object.fromEntries(
    (lines ?? []).map((line) => {
      const [name = "", ...value] = line.split("=");
      return [name, value.join("=")];
    }),
  );
}

interface Reply {
  status: number;
  body?: unknown;
}

const notFound = (what: string): Reply => ({ status: 404, body: { message: `No such ${what}` } });
const conflictReply = (message: string): Reply => ({ status: 409, body: { message } });

type Handler = (o: {
  containers: Containers;
  refusals: Refusals;
  execs: Execs;
  name: string;
  query: URLSearchParams;
  request: IncomingMessage;
}) => Promise<Reply>;

const routes: [method: string, path: RegExp, handler: Handler][] = [
  ["GET", /^\/volumes$/, async () => ({ status: 200, body: { Volumes: [] } })],
  ["GET", /^\/networks\/bridge$/, inspectBridge],
  ["POST", /^\/containers\/create$/, createContainer],
  ["GET", /^\/containers\/([^/]+)\/json$/, inspectContainer],
  ["POST", /^\/containers\/([^/]+)\/start$/, startContainer],
  ["POST", /^\/containers\/([^/]+)\/wait$/, waitForContainer],
  ["POST", /^\/containers\/([^/]+)\/(?:stop|kill)$/, killContainer],
  ["POST", /^\/containers\/([^/]+)\/exec$/, prepareExec],
  ["PUT", /^\/containers\/([^/]+)\/archive$/, writeFiles],
  ["DELETE", /^\/containers\/([^/]+)$/, removeContainer],
  ["GET", /^\/exec\/([^/]+)\/json$/, inspectExec],
];

async function inspectBridge(): Promise<Reply> {
  return { status: 200, body: { IPAM: { Config: [{ Subnet: "127.0.0.0/8", Gateway: "127.0.0.1" }] } } };
}

async function inspectExec({ execs, name }: Parameters<Handler>[0]): Promise<Reply> {
  const found = execs.get(name);
  return found === undefined ? notFound("exec") : { status: 200, body: found.exec.state };
}

const isSidecar = (name: string): boolean => name.endsWith(SIDECAR_SUFFIX);

async function createContainer({ containers, refusals, query, request }: Parameters<Handler>[0]): Promise<Reply> {
  const name = query.get("name") ?? "";
  const body = createBody.safeParse(await json(request));
  if (!body.success) return { status: 400, body: { message: "Image must be a string" } };
  const existing = await (isSidecar(name) ? containers.sidecar(name) : containers.find(name));
  if (existing !== undefined) return conflictReply("the name is in use");
  const { Image: image, Env, Cmd } = body.data;
  const created = { status: 201, body: { Id: name, Warnings: [] } };
  if (isSidecar(name)) {
    await containers.createSidecar(name);
    return created;
  }
  try {
    if (image === NO_APPLICATION) throw new StartRefused(NO_APPLICATION_MESSAGE);
    await containers.create(name, { image, env: parseVariables(Env), ...(Cmd && Cmd.length > 0 && { command: Cmd }) });
  } catch (error) {
    if (!(error instanceof StartRefused)) throw error;
    // workerd hides the error of a create, but not that of a wait.
    refusals.set(name, error.message);
  }
  return created;
}

async function inspectContainer({ containers, refusals, name }: Parameters<Handler>[0]): Promise<Reply> {
  if (refusals.has(name))
    return { status: 200, body: { Id: name, State: { Status: "running" }, Config: { Labels: {} } } };
  if (isSidecar(name)) {
    const sidecar = await containers.sidecar(name);
    if (sidecar === undefined) return notFound("container");
    const Ports = { [INGRESS]: [{ HostIp: "127.0.0.1", HostPort: String(sidecar.port) }] };
    return { status: 200, body: { Id: name, State: { Status: "running" }, NetworkSettings: { Ports } } };
  }
  const container = await containers.find(name);
  if (container === undefined) return notFound("container");
  const Status = container.running ? "running" : "exited";
  return { status: 200, body: { Id: name, State: { Status }, Config: { Image: container.record.image, Labels: {} } } };
}

async function startContainer({ containers, refusals, name }: Parameters<Handler>[0]): Promise<Reply> {
  if (refusals.has(name)) return { status: 204 };
  // A sidecar listens from its creation.
  if (isSidecar(name)) return (await containers.sidecar(name)) === undefined ? notFound("container") : { status: 304 };
  const container = await containers.find(name);
  if (container === undefined) return notFound("container");
  if (container.running) return { status: 304 };
  await container.start();
  return { status: 204 };
}

async function waitForContainer({ containers, refusals, name, query }: Parameters<Handler>[0]): Promise<Reply> {
  const refusal = refusals.get(name);
  if (refusals.delete(name)) return { status: 500, body: { message: refusal } };
  const container = isSidecar(name) ? undefined : await containers.find(name);
  if (container === undefined) return notFound("container");
  if (query.get("condition") === "removed") await container.removed();
  return { status: 200, body: { StatusCode: await container.stopped() } };
}

async function killContainer({ containers, name, query }: Parameters<Handler>[0]): Promise<Reply> {
  const container = isSidecar(name) ? undefined : await containers.find(name);
  if (container === undefined) return notFound("container");
  if (!container.running) return conflictReply("the container is not running");
  if (query.get("signal") === "SIGTERM") await container.terminate();
  else await container.kill();
  return { status: 204 };
}

/** Unpacks an archive in a folder of the container, which need not run. workerd sends the certificate of the sidecar's authority. */
async function writeFiles({ containers, name, query, request }: Parameters<Handler>[0]): Promise<Reply> {
  const container = isSidecar(name) ? undefined : await containers.find(name);
  if (container === undefined) return notFound("container");
  const folder = query.get("path") ?? "";
  for (const [file, content] of readArchive(await buffer(request)))
    container.writeFile(posix.join("/", folder, file), content);
  return { status: 200 };
}

async function removeContainer({ containers, refusals, name }: Parameters<Handler>[0]): Promise<Reply> {
  if (refusals.delete(name)) return { status: 204 };
  const removed = isSidecar(name) ? await containers.removeSidecar(name) : await containers.remove(name);
  return removed ? { status: 204 } : notFound("container");
}

async function prepareExec({ containers, execs, name, request }: Parameters<Handler>[0]): Promise<Reply> {
  const container = await containers.find(name);
  if (container === undefined) return notFound("container");
  if (!container.running) return conflictReply("the container is not running");
  const body = execBody.safeParse(await json(request));
  if (!body.success) return { status: 400, body: { message: "Cmd must name a command" } };
  const { Cmd, Env, WorkingDir } = body.data;
  const exec = new Exec({ command: Cmd, env: parseVariables(Env), workingDirectory: WorkingDir || undefined });
  execs.set(exec.id, { container, exec });
  return { status: 201, body: { Id: exec.id } };
}

interface Served {
  containers: Containers;
  refusals: Refusals;
  execs: Execs;
}

async function handleEngineRequest(served: Served, request: IncomingMessage): Promise<Reply> {
  const url = new URL(request.url ?? "/", "http://engine");
  for (const [method, path, handler] of routes) {
    const match = path.exec(url.pathname);
    if (match === null || method !== request.method) continue;
    return handler({ ...served, name: decodeURIComponent(match[1] ?? ""), query: url.searchParams, request });
  }
  return { status: 501, body: { message: `${request.method} ${url.pathname} is not supported` } };
}

function sendReply(response: ServerResponse, { status, body }: Reply): void {
  if (body === undefined) return void response.writeHead(status).end();
  const text = JSON.stringify(body);
  response
    .writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
    .end(text);
}

/** Passes the connection to the command, without the body of the request. */
function attachExec(execs: Execs, request: IncomingMessage, connection: Duplex, head: Buffer): void {
  connection.on("error", () => connection.destroy());
  const found = execs.get(/^\/exec\/([^/]+)\/start$/.exec(request.url ?? "")?.[1] ?? "");
  let left = Number(request.headers["content-length"] ?? 0);
  const begin = (rest: Buffer): void => {
    if (found === undefined) return void connection.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
    if (!found.container.running) return void connection.end("HTTP/1.1 409 Conflict\r\ncontent-length: 0\r\n\r\n");
    connection.write(
      "HTTP/1.1 101 UPGRADED\r\nContent-Type: application/vnd.docker.multiplexed-stream\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n",
    );
    if (rest.length > 0) connection.unshift(rest);
    const { id } = found.exec;
    connection.once("close", () => setTimeout(() => execs.delete(id), RETENTION_MS).unref());
    found.container.run(found.exec, connection);
  };
  const take = (bytes: Buffer): void => {
    const skipped = Math.min(left, bytes.length);
    left -= skipped;
    if (left > 0) return void connection.once("data", take);
    connection.pause();
    begin(bytes.subarray(skipped));
  };
  take(head);
}

export function createEngineServer(containers: Containers, log: Log) {
  const execs: Execs = new Map();
  const served: Served = { containers, refusals: new Map(), execs };
  const server = createServer((request, response) => {
    handleEngineRequest(served, request).then(
      (given) => {
        if (given.status === 501) log("containers", "unknown-call", { method: request.method, url: request.url });
        sendReply(response, given);
      },
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        log("containers", "call-failed", { url: request.url, message });
        sendReply(response, { status: 500, body: { message } });
      },
    );
  });
  server.on("upgrade", (request, connection, head) => attachExec(execs, request, connection, head));
  server.requestTimeout = 0;
  return server;
}
