/**
 * What workerd asks of a container engine, as Docker's Engine API has it, over a unix socket. workerd documents none of this:
 * `workerd-calls.test.ts` holds the calls it makes.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { json } from "node:stream/consumers";
import type { Log } from "@tenantry/std/log";
import * as z from "zod";
import type { Container } from "./container.ts";
import { Exec } from "./exec.ts";
import { SIDECAR_SUFFIX } from "./names.ts";
import type { Sidecar } from "./network/sidecar.ts";

/** Where a sidecar listens, as seen from within. */
const INGRESS = "39001/tcp";

/** The containers, by the names that workerd gives them. */
export interface Containers {
  /** The container of a name, taken up again when an earlier edge left it running. */
  find(name: string): Promise<Container | undefined>;
  /** @throws Error when the name is nobody's container */
  create(name: string, o: { image: string; env: Record<string, string>; command?: string[] }): Promise<Container>;
  remove(name: string): Promise<boolean>;
  sidecar(name: string): Promise<Sidecar | undefined>;
  createSidecar(name: string): Promise<void>;
  removeSidecar(name: string): Promise<boolean>;
}

/** Commands that were prepared, with their containers. */
type Execs = Map<string, { container: Container; exec: Exec }>;

/** How long a command that has ended can be asked about, in milliseconds. */
const REMEMBERED_MS = 60_000;

const created = z.looseObject({
  Image: z.string(),
  Env: z.array(z.string()).nullish(),
  Cmd: z.array(z.string()).nullish(),
});
const wanted = z.looseObject({
  Cmd: z.array(z.string()).min(1),
  Env: z.array(z.string()).nullish(),
  WorkingDir: z.string().nullish(),
});

/** `NAME=VALUE` lines as a record. */
function variables(lines: readonly string[] | null | undefined): Record<string, string> {
  return Object.fromEntries(
    (lines ?? []).map((line) => {
      const [name = "", ...value] = line.split("=");
      return [name, value.join("=")];
    }),
  );
}

interface Answer {
  status: number;
  body?: unknown;
}

const notFound = (what: string): Answer => ({ status: 404, body: { message: `No such ${what}` } });
const conflict = (message: string): Answer => ({ status: 409, body: { message } });

type Handler = (o: {
  containers: Containers;
  execs: Execs;
  name: string;
  query: URLSearchParams;
  request: IncomingMessage;
}) => Promise<Answer>;

const routes: [method: string, path: RegExp, handler: Handler][] = [
  ["GET", /^\/volumes$/, async () => ({ status: 200, body: { Volumes: [] } })],
  [
    "GET",
    /^\/networks\/bridge$/,
    async () => ({ status: 200, body: { IPAM: { Config: [{ Subnet: "127.0.0.0/8", Gateway: "127.0.0.1" }] } } }),
  ],
  ["POST", /^\/containers\/create$/, create],
  ["GET", /^\/containers\/([^/]+)\/json$/, inspect],
  ["POST", /^\/containers\/([^/]+)\/start$/, start],
  ["POST", /^\/containers\/([^/]+)\/wait$/, wait],
  ["POST", /^\/containers\/([^/]+)\/(?:stop|kill)$/, kill],
  ["POST", /^\/containers\/([^/]+)\/exec$/, prepareExec],
  ["DELETE", /^\/containers\/([^/]+)$/, remove],
  [
    "GET",
    /^\/exec\/([^/]+)\/json$/,
    async ({ execs, name }) => {
      const found = execs.get(name);
      return found === undefined ? notFound("exec") : { status: 200, body: found.exec.state };
    },
  ],
];

const isSidecar = (name: string): boolean => name.endsWith(SIDECAR_SUFFIX);

async function create({ containers, query, request }: Parameters<Handler>[0]): Promise<Answer> {
  const name = query.get("name") ?? "";
  const body = created.safeParse(await json(request));
  if (!body.success) return { status: 400, body: { message: "Image must be a string" } };
  if (isSidecar(name)) {
    if ((await containers.sidecar(name)) !== undefined) return conflict("the name is in use");
    await containers.createSidecar(name);
    return { status: 201, body: { Id: name, Warnings: [] } };
  }
  if ((await containers.find(name)) !== undefined) return conflict("the name is in use");
  const { Image: image, Env, Cmd } = body.data;
  await containers.create(name, { image, env: variables(Env), ...(Cmd && Cmd.length > 0 && { command: Cmd }) });
  return { status: 201, body: { Id: name, Warnings: [] } };
}

async function inspect({ containers, name }: Parameters<Handler>[0]): Promise<Answer> {
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

async function start({ containers, name }: Parameters<Handler>[0]): Promise<Answer> {
  // A sidecar listens from its making on.
  if (isSidecar(name)) return (await containers.sidecar(name)) === undefined ? notFound("container") : { status: 304 };
  const container = await containers.find(name);
  if (container === undefined) return notFound("container");
  if (container.running) return { status: 304 };
  await container.start();
  return { status: 204 };
}

async function wait({ containers, name, query }: Parameters<Handler>[0]): Promise<Answer> {
  const container = isSidecar(name) ? undefined : await containers.find(name);
  if (container === undefined) return notFound("container");
  if (query.get("condition") === "removed") await container.removed();
  return { status: 200, body: { StatusCode: await container.stopped() } };
}

async function kill({ containers, name }: Parameters<Handler>[0]): Promise<Answer> {
  const container = isSidecar(name) ? undefined : await containers.find(name);
  if (container === undefined) return notFound("container");
  if (!container.running) return conflict("the container is not running");
  await container.kill();
  return { status: 204 };
}

async function remove({ containers, name }: Parameters<Handler>[0]): Promise<Answer> {
  const removed = isSidecar(name) ? await containers.removeSidecar(name) : await containers.remove(name);
  return removed ? { status: 204 } : notFound("container");
}

async function prepareExec({ containers, execs, name, request }: Parameters<Handler>[0]): Promise<Answer> {
  const container = await containers.find(name);
  if (container === undefined) return notFound("container");
  if (!container.running) return conflict("the container is not running");
  const body = wanted.safeParse(await json(request));
  if (!body.success) return { status: 400, body: { message: "Cmd must name a command" } };
  const { Cmd, Env, WorkingDir } = body.data;
  const exec = new Exec({ command: Cmd, env: variables(Env), workingDirectory: WorkingDir || undefined });
  execs.set(exec.id, { container, exec });
  return { status: 201, body: { Id: exec.id } };
}

async function answer(containers: Containers, execs: Execs, request: IncomingMessage): Promise<Answer> {
  const url = new URL(request.url ?? "/", "http://engine");
  for (const [method, path, handler] of routes) {
    const match = path.exec(url.pathname);
    if (match === null || method !== request.method) continue;
    return handler({ containers, execs, name: decodeURIComponent(match[1] ?? ""), query: url.searchParams, request });
  }
  return { status: 501, body: { message: `${request.method} ${url.pathname} is not served` } };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  if (body === undefined) return void response.writeHead(status).end();
  const text = JSON.stringify(body);
  response
    .writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
    .end(text);
}

/** Gives the connection to the command, less the request's own body. */
function attach(execs: Execs, request: IncomingMessage, connection: Duplex, head: Buffer): void {
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
    connection.once("close", () => setTimeout(() => execs.delete(id), REMEMBERED_MS).unref());
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

/** Serves the engine's API; the caller listens. */
export function createEngineServer(containers: Containers, log: Log) {
  const execs: Execs = new Map();
  const server = createServer((request, response) => {
    answer(containers, execs, request).then(
      (given) => {
        if (given.status === 501) log("containers", "unknown-call", { method: request.method, url: request.url });
        send(response, given);
      },
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        log("containers", "call-failed", { url: request.url, message });
        send(response, { status: 500, body: { message } });
      },
    );
  });
  server.on("upgrade", (request, connection, head) => attach(execs, request, connection, head));
  server.requestTimeout = 0;
  return server;
}
