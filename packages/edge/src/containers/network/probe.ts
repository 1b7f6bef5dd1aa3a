/** Whether containers can have networks of their own on this machine. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { ContainerNetwork } from "./container-network.ts";
import { unmapped } from "./public-address.ts";

/** `own`: each container has its network namespace. `shared`: containers share the machine's network. */
export type NetworkKind = "own" | "shared";
/** `reason`: why a container cannot have its own network. */
export type NetworkIsolation = { kind: "own" } | { kind: "shared"; reason: string | undefined };

/** For documentation (RFC 5737). */
const ELSEWHERE = "192.0.2.1";
const TIMEOUT_MS = 5_000;

let probed: Promise<NetworkIsolation> | undefined;

/** Probes the machine once. */
export function probeNetwork(): Promise<NetworkIsolation> {
  probed ??= probe();
  return probed;
}

async function probe(): Promise<NetworkIsolation> {
  if (process.platform !== "linux") return { kind: "shared", reason: `${process.platform} has no network namespaces` };
  const user = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
  // Prints when it is in its namespace, and ends with this process.
  const child = spawn("unshare", [...user, "--net", "sh", "-c", "echo; exec cat"], {
    stdio: ["pipe", "pipe", "ignore"],
    timeout: TIMEOUT_MS,
  });
  const accepted = Promise.withResolvers<string>();
  const network = new ContainerNetwork({
    onConnection: (socket) => {
      accepted.resolve(unmapped(socket.localAddress ?? ""));
      socket.destroy();
    },
    onDnsConnection: (socket) => socket.destroy(),
    onDnsSocket: () => {},
  });
  try {
    const ended = once(child, "close").then(() => Promise.reject(new Error("unshare: permission denied")));
    ended.catch(() => {});
    await Promise.race([once(child.stdout, "data"), ended]);
    await network.prepare(child.pid ?? 0);
    const socket = await network.connect(80, ELSEWHERE);
    socket.on("error", (error) => accepted.reject(error));
    const address = await Promise.race([accepted.promise, ended]);
    if (address !== ELSEWHERE) return { kind: "shared", reason: `a connection to ${ELSEWHERE} reached ${address}` };
    return { kind: "own" };
  } catch (error) {
    return { kind: "shared", reason: error instanceof Error ? error.message : String(error) };
  } finally {
    network.close();
    child.kill("SIGKILL");
  }
}
