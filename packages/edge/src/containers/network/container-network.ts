/**
 * The network namespace of a container. Every address in it is local (AnyIP), so that this process, which holds listeners inside, accepts
 * the container's connections to any address; the local address of a connection is its destination. All else is refused by the kernel.
 */
import { spawn } from "node:child_process";
import type { Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Server, Socket, type SocketConstructorOpts } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import * as z from "zod";

export const DNS_PORT = 53;
/** Ports of other protocols than HTTP on the internet. A program in a container cannot listen on them. */
const COMMON_PORTS = [22, 25, 110, 143, 465, 587, 993, 995, 1883, 5222, 6667, 6697, 8448, 8883, 9418];
const HTTP_PORTS = [80, 443];

const HELPER = fileURLToPath(new URL("network-helper.mjs", import.meta.url));
/** Without IPv6 in the kernel, its route fails. */
const SET_UP = `ip -force -batch - 2>/dev/null <<'END' || true
link set lo up
route add local 0.0.0.0/0 dev lo
route add local ::/0 dev lo
END
[ "$(ip -4 route show table local type local default)" ] || { echo "ip cannot set up the network" >&2; exit 1; }
exec "$@"`;
const TIMEOUT_MS = 20_000;
/** Sockets for connections to the container: at first, and at most at a time. */
const FIRST_SOCKETS = 64;
const MAX_SOCKETS = 512;

const message = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("listener"), port: z.number() }),
  z.object({ kind: z.literal("dns") }),
  z.object({ kind: z.literal("socket") }),
  z.object({ kind: z.literal("end") }),
]);

/** A socket of the kernel, without the JavaScript object of Node.js. */
interface Handle {
  close(): void;
}

interface Created {
  listeners: { port: number; handle: Handle }[];
  dns: UdpSocket | undefined;
  sockets: Handle[];
}

const isRoot = (): boolean => process.getuid?.() === 0;

/** Creates sockets in the namespace of a process. @throws Error with the reason */
async function createSockets(pid: number, ports: readonly number[], sockets: number): Promise<Created> {
  const user = isRoot() ? [] : ["--user", "--preserve-credentials"];
  const setUp = ports.length > 0 ? ["sh", "-c", SET_UP, "sh"] : [];
  const helper = [process.execPath, "--no-deprecation", HELPER, ports.join(), String(sockets)];
  const child = spawn("nsenter", ["--target", String(pid), "--net", ...user, ...setUp, ...helper], {
    env: { PATH: process.env.PATH },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
  });
  const created: Created = { listeners: [], dns: undefined, sockets: [] };
  let isComplete = false;
  child.on("message", (given, handle: unknown) => {
    const received = message.parse(given);
    if (received.kind === "end") isComplete = true;
    else if (received.kind === "dns") created.dns = handle as UdpSocket;
    else if (received.kind === "socket") created.sockets.push(handle as Handle);
    else created.listeners.push({ port: received.port, handle: handle as Handle });
  });
  const reason = child.stderr === null ? Promise.resolve("") : text(child.stderr);
  await once(child, "close");
  if (isComplete) return created;
  release(created);
  throw new Error(`creating a container's network failed: ${(await reason).trim().split("\n")[0] || "it ended"}`);
}

function release({ listeners, dns, sockets }: Created): void {
  for (const { handle } of listeners) handle.close();
  for (const socket of sockets) socket.close();
  dns?.close();
}

export interface NetworkEvents {
  /** Called for each connection of the container, except for those to its own addresses. */
  onConnection(socket: Socket): void;
  onDnsConnection(socket: Socket): void;
  onDnsSocket(socket: UdpSocket): void;
}

export class ContainerNetwork {
  /** Options of `unshare` and `nsenter`. */
  readonly namespaces = ["--net"];
  readonly #events: NetworkEvents;
  readonly #ports: readonly number[];
  readonly #servers: Server[] = [];
  #dns: UdpSocket | undefined;
  #sockets: Handle[] = [];
  #amount = FIRST_SOCKETS;
  #filling: Promise<void> | undefined;
  #pid = 0;
  #isClosed = false;

  /** @param ports besides those of HTTP and common protocols */
  constructor(events: NetworkEvents, ports: readonly number[] = []) {
    this.#events = events;
    this.#ports = [...new Set([DNS_PORT, ...HTTP_PORTS, ...COMMON_PORTS, ...ports])];
  }

  /** Sets up the namespace of a process. @throws Error with the reason when the machine does not allow it */
  async prepare(pid: number): Promise<void> {
    this.#pid = pid;
    const created = await createSockets(pid, this.#ports, this.#amount);
    if (this.#isClosed || created.dns === undefined) return release(created);
    this.#sockets = created.sockets;
    this.#dns = created.dns;
    this.#events.onDnsSocket(created.dns);
    for (const { port, handle } of created.listeners) {
      const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
        port === DNS_PORT ? this.#events.onDnsConnection(socket) : this.#events.onConnection(socket),
      );
      server.on("error", () => {});
      server.listen(handle);
      this.#servers.push(server);
    }
  }

  /** Connects to a port of the container, or of another address in its network. The result connects, or ends with an error. */
  async connect(port: number, host = "127.0.0.1"): Promise<Socket> {
    if (this.#sockets.length === 0) await this.#fill();
    const handle = this.#sockets.pop();
    if (handle === undefined || this.#isClosed) {
      handle?.close();
      throw new Error("the container has ended");
    }
    if (this.#sockets.length < this.#amount / 4) this.#fill().catch(() => {});
    // Node.js has no type for such a handle. It must not read before it is connected.
    const options: unknown = { handle, manualStart: true, allowHalfOpen: true, noDelay: true };
    return new Socket(options as SocketConstructorOpts).connect({ port, host });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const server of this.#servers) server.close();
    for (const socket of this.#sockets.splice(0)) socket.close();
    this.#dns?.close();
  }

  /** Creates more sockets each time, so that a busy container needs fewer processes. */
  #fill(): Promise<void> {
    this.#amount = Math.min(2 * this.#amount, MAX_SOCKETS);
    this.#filling ??= createSockets(this.#pid, [], this.#amount)
      .then((created) => {
        if (this.#isClosed) release(created);
        else this.#sockets.push(...created.sockets);
      })
      .finally(() => {
        this.#filling = undefined;
      });
    return this.#filling;
  }
}
