/** A network namespace with its sockets. Every address in it is local (AnyIP), so that its listeners accept connections to any address. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { LISTEN_AND_RUN } from "./every-port.ts";

const HELPER = fileURLToPath(new URL("helper.mjs", import.meta.url));
/** Without IPv6 in the kernel, its route fails. */
const SET_UP = `ip -force -batch - 2>/dev/null <<'END' || true
link set lo up
route add local 0.0.0.0/0 dev lo
route add local ::/0 dev lo
END
[ "$(ip -4 route show table local type local default)" ] || { echo "ip cannot set up the network" >&2; exit 1; }
${LISTEN_AND_RUN}`;
const TIMEOUT_MS = 20_000;
/** Sockets for connections to a container that starts. */
const FIRST_SOCKETS = 64;

const message = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("listener"), port: z.union([z.number(), z.literal("every")]) }),
  z.object({ kind: z.literal("dns") }),
  z.object({ kind: z.literal("socket") }),
  z.object({ kind: z.literal("end") }),
]);

/** A socket of the kernel, without the JavaScript object of Node.js. */
export interface Handle {
  close(): void;
}

interface Created {
  listeners: { port: number | "every"; handle: Handle }[];
  dns: UdpSocket | undefined;
  sockets: Handle[];
}

export interface Namespace extends Created {
  /** Command line that runs a program in it. */
  readonly enter: readonly string[];
  /** Closes its sockets that are still here. It ends when no process uses it. */
  close(): void;
}

const isRoot = (): boolean => process.getuid?.() === 0;

/** Returns the command line that runs a program in the network of a process. */
export function enterNetworkOf(pid: number): string[] {
  const user = isRoot() ? [] : ["--user", "--preserve-credentials"];
  return ["nsenter", "--target", String(pid), "--net", ...user];
}

function startHelper(before: readonly string[], ports: readonly number[], sockets: number): ChildProcess {
  const [program = "", ...parameters] = [...before, process.execPath, "--no-deprecation", HELPER];
  return spawn(program, [...parameters, ports.join(), String(sockets)], {
    env: { PATH: process.env.PATH },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
  });
}

/** @param onFirst called once, while the helper runs @throws Error with the reason */
async function receiveSockets(child: ChildProcess, onFirst = () => {}): Promise<Created> {
  const created: Created = { listeners: [], dns: undefined, sockets: [] };
  let isComplete = false;
  child.once("message", onFirst);
  child.on("message", (given, handle: unknown) => {
    const received = message.parse(given);
    if (received.kind === "end") isComplete = true;
    else if (received.kind === "dns") created.dns = (handle as UdpSocket).unref();
    else if (received.kind === "socket") created.sockets.push(handle as Handle);
    else created.listeners.push({ port: received.port, handle: handle as Handle });
  });
  const reason = child.stderr === null ? Promise.resolve("") : text(child.stderr);
  await once(child, "close");
  if (isComplete) return created;
  release(created);
  throw new Error(`creating a container's network failed: ${(await reason).trim().split("\n")[0] || "it ended"}`);
}

/** Further calls have no effect. */
function release(created: Created): void {
  for (const { handle } of created.listeners.splice(0)) handle.close();
  for (const socket of created.sockets.splice(0)) socket.close();
  created.dns?.close();
  created.dns = undefined;
}

/** Creates sockets in a namespace, to connect from it. @throws Error with the reason */
export async function createSockets(enter: readonly string[], amount: number): Promise<Handle[]> {
  return (await receiveSockets(startHelper(enter, [], amount))).sockets;
}

/** Creates a namespace that listens on every port, or on these where the machine does not allow it. @throws Error with the reason when the machine does not allow it */
export async function createNamespace(ports: readonly number[]): Promise<Namespace> {
  const user = isRoot() ? [] : ["--user", "--map-root-user"];
  const child = startHelper(["unshare", ...user, "--net", "sh", "-c", SET_UP, "sh"], ports, FIRST_SOCKETS);
  const files: number[] = [];
  const open = (kind: string) => {
    const file = openSync(`/proc/${child.pid}/ns/${kind}`, "r");
    files.push(file);
    return `--${kind}=/proc/${process.pid}/fd/${file}`;
  };
  const enter = ["nsenter"];
  try {
    const created = await receiveSockets(child, () => {
      if (!isRoot()) enter.push(open("user"), "--preserve-credentials");
      enter.push(open("net"));
    });
    return {
      ...created,
      enter,
      close() {
        release(created);
        for (const file of files.splice(0)) closeSync(file);
      },
    };
  } catch (error) {
    for (const file of files) closeSync(file);
    throw error;
  }
}
