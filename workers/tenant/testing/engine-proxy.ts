/** A proxy between workerd and the container engine, which records, holds and fails the tenant Worker's calls to its container. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { buffer } from "node:stream/consumers";
import { listen } from "@tenantry/std/listening";
import * as z from "zod";

/** A command, such as `start`, or a request, such as `GET /health`. */
export type Call = string;

export const PROCESSES: Call = "processes";
export const HEALTH: Call = "GET /health";
export const START: Call = "start";
/** Ends the gateway and the startup script. */
export const END: Call = "end";
/** Inspects the state directory. */
export const STATE: Call = "state";
/** Creates an archive. The next calls send it to the bucket, receive it, and unpack it. */
export const ARCHIVE: Call = "archive";
export const UPLOAD: Call = "read";
export const DOWNLOAD: Call = "write";
export const RESTORE: Call = "restore";
/** Reads the gateway's work. */
export const WORK: Call = "work";
const MEASURE: Call = "measure";
/** Reads the gateway's version. */
export const VERSIONS: Call = "versions";
/** Deletes the container and its disk. */
export const DESTROY: Call = "destroy";

export interface EngineProxy {
  /** The address for workerd. */
  address: string;
  calls: Call[];
  /** Calls that have received a response. */
  answers: Call[];
  /** Fails these calls from now on, and no others. */
  fail(...calls: Call[]): void;
  /** Breaks responses to these calls after their first bytes from now on, and to no others. */
  breakOff(...calls: Call[]): void;
  /** Holds matching calls until they are released, even if their caller disconnects. */
  hold(matches: (call: Call) => boolean): Held;
  /** Passes only the first bytes of responses to matching calls, until they are released. */
  stall(matches: (call: Call) => boolean): Held;
  stop(): void;
}

export interface Held {
  readonly calls: Call[];
  /** Passes held calls on, and holds no more. */
  release(): void;
}

interface Hold extends Held {
  matches: (call: Call) => boolean;
  released: Promise<void>;
}

const STALLED_BYTES = 10;
/** Parts of commands that identify calls. */
const COMMANDS: [part: string, call: Call][] = [
  ["start-gateway.mjs", START],
  ["versions.mjs", VERSIONS],
  ["work.mjs", WORK],
  ["echo sockets", MEASURE],
  ["/environ", PROCESSES],
  ["kill -s TERM", END],
  ["ls -A", STATE],
  ["backup.mjs", ARCHIVE],
  ["restore.mjs", RESTORE],
  ["exec cat", UPLOAD],
  ["&& cat >", DOWNLOAD],
];

function callOf(command: readonly string[]): Call {
  const text = command.join(" ");
  return COMMANDS.find(([part]) => text.includes(part))?.[1] ?? text;
}

function keep(holds: Set<Hold>, matches: (call: Call) => boolean): Held {
  const released = Promise.withResolvers<void>();
  const hold: Hold = {
    matches,
    calls: [],
    released: released.promise,
    release: () => {
      holds.delete(hold);
      released.resolve();
    },
  };
  holds.add(hold);
  return hold;
}

/** Called once per call, since a test's predicate may count. */
const find = (holds: Set<Hold>, call: Call): Hold | undefined => [...holds].find((hold) => hold.matches(call));

async function wait(hold: Hold | undefined, call: Call): Promise<void> {
  hold?.calls.push(call);
  await hold?.released;
}

/** Removes the head of a response from a connection. */
async function headOf(from: Socket): Promise<void> {
  let bytes = Buffer.alloc(0);
  for (;;) {
    const end = bytes.indexOf("\r\n\r\n");
    if (end >= 0) return from.unshift(bytes.subarray(end + 4));
    await once(from, "readable");
    const more: Buffer | null = from.read();
    if (more === null && from.readableEnded) return;
    bytes = Buffer.concat([bytes, more ?? Buffer.alloc(0)]);
  }
}

const command = z.looseObject({ Cmd: z.array(z.string()) });
const made = z.looseObject({ Id: z.string() });
const sidecar = z.looseObject({
  NetworkSettings: z.looseObject({ Ports: z.record(z.string(), z.array(z.looseObject({ HostPort: z.string() }))) }),
});

/** @param engine the engine's address @param directory for the proxy's socket */
export async function startEngineProxy(engine: string, directory: string): Promise<EngineProxy> {
  const socketPath = engine.replace(/^unix:/, "");
  const calls: Call[] = [];
  const answers: Call[] = [];
  const failing = new Set<Call>();
  const breaking = new Set<Call>();
  const holds = new Set<Hold>();
  const stalls = new Set<Hold>();
  /** Calls by the ids of their commands. */
  const execs = new Map<string, Call>();
  const sidecars = new Map<string, Server>();
  const open = new Set<Duplex>();
  const held = (socket: Duplex): void => {
    open.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => open.delete(socket));
  };

  const begin = async (call: Call): Promise<boolean> => {
    calls.push(call);
    await wait(find(holds, call), call);
    return !failing.has(call);
  };

  /** Passes a command's output. Of a stalled response, passes the first bytes only. */
  const answer = async (call: Call, from: Socket, to: Duplex): Promise<void> => {
    from.once("close", () => to.end());
    from.once("end", () => answers.push(call));
    // The caller has disconnected.
    to.once("close", () => from.resume());
    if (to.destroyed) return void from.resume();
    const stall = find(stalls, call);
    if (!breaking.has(call) && stall === undefined) return void from.pipe(to);
    const bytes = await buffer(from);
    to.write(bytes.subarray(0, STALLED_BYTES));
    if (breaking.has(call)) return void to.end();
    await wait(stall, call);
    to.end(bytes.subarray(STALLED_BYTES));
  };

  /** Starts a proxy for a sidecar, which identifies requests. */
  const sidecarProxy = async (port: number): Promise<number> => {
    const server = createTcpServer({ allowHalfOpen: true }, (client) => {
      held(client);
      const inside = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
      held(inside);
      client.once("close", () => inside.destroy());
      let first = true;
      client.on("data", async (bytes) => {
        client.pause();
        // After CONNECT, the beginning of each request identifies the call.
        const call = first ? undefined : /^[A-Z]+ \S+(?= HTTP)/.exec(bytes.toString("latin1"))?.[0];
        first = false;
        if (call !== undefined && !(await begin(call))) return void client.destroy();
        const stall = call === undefined ? undefined : find(stalls, call);
        if (call !== undefined && stall !== undefined) {
          inside.unpipe(client);
          inside.once("data", async (answered: Buffer) => {
            inside.pause();
            client.write(answered.subarray(0, STALLED_BYTES));
            await wait(stall, call);
            client.write(answered.subarray(STALLED_BYTES));
            inside.pipe(client);
          });
          inside.resume();
        } else if (call !== undefined) inside.once("data", () => answers.push(call));
        inside.write(bytes);
        client.resume();
      });
      client.once("end", () => inside.end());
      inside.pipe(client);
    });
    const own = await listen(server, { port: 0 });
    sidecars.set(String(port), server);
    return own;
  };

  const ports = new Map<string, Promise<number>>();
  const rewrite = async (path: string, text: string): Promise<string> => {
    const inspected = path.endsWith("-proxy/json") ? sidecar.safeParse(JSON.parse(text)).data : undefined;
    if (inspected === undefined) return text;
    for (const bound of Object.values(inspected.NetworkSettings.Ports).flat()) {
      const own = ports.get(bound.HostPort) ?? sidecarProxy(Number(bound.HostPort));
      ports.set(bound.HostPort, own);
      bound.HostPort = String(await own);
    }
    return JSON.stringify(inspected);
  };

  const server = createServer(async (incoming: IncomingMessage, response: ServerResponse) => {
    const path = incoming.url ?? "/";
    const body = await buffer(incoming).catch(() => undefined);
    if (body === undefined) return void response.destroy();
    const isDestroy = incoming.method === "DELETE" && !path.includes("-proxy");
    if (isDestroy && !(await begin(DESTROY))) return void response.writeHead(500).end("{}");
    const { method, headers } = incoming;
    const outgoing = request({ socketPath, method, path, headers }, async (answered) => {
      const text = (await buffer(answered)).toString("utf8");
      if (path.endsWith("/exec") && answered.statusCode === 201) {
        execs.set(made.parse(JSON.parse(text)).Id, callOf(command.parse(JSON.parse(body.toString("utf8"))).Cmd));
      }
      const sent = answered.statusCode === 200 ? await rewrite(path, text) : text;
      if (isDestroy) answers.push(DESTROY);
      response.writeHead(answered.statusCode ?? 502, { "content-length": Buffer.byteLength(sent) }).end(sent);
    });
    outgoing.on("error", () => response.destroy());
    // Cancels a request whose caller has disconnected.
    response.once("close", () => outgoing.destroy());
    outgoing.end(body);
  });
  server.requestTimeout = 0;
  server.on("upgrade", async (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    held(client);
    const call = execs.get(/^\/exec\/([^/]+)\/start$/.exec(incoming.url ?? "")?.[1] ?? "") ?? "unknown";
    calls.push(call);
    if (failing.has(call)) return void client.end("HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n");
    // workerd starts one command at a time, so a held command must appear to have started.
    client.write("HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n");
    await wait(find(holds, call), call);
    const inside = connect({ path: socketPath, allowHalfOpen: true });
    held(inside);
    const { rawHeaders: raw } = incoming;
    const lines = raw.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${raw[i + 1]}`] : []));
    inside.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
    inside.write(head);
    client.pipe(inside);
    await headOf(inside);
    void answer(call, inside, client);
  });
  const path = join(directory, "proxy.sock");
  await listen(server, { path });
  return {
    address: `unix:${path}`,
    calls,
    answers,
    fail: (...given) => {
      failing.clear();
      for (const call of given) failing.add(call);
    },
    breakOff: (...given) => {
      breaking.clear();
      for (const call of given) breaking.add(call);
    },
    hold: (matches) => keep(holds, matches),
    stall: (matches) => keep(stalls, matches),
    stop: () => {
      for (const one of [server, ...sidecars.values()]) one.close();
      server.closeAllConnections();
      for (const socket of open) socket.destroy();
    },
  };
}
