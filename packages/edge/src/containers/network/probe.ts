/** Whether containers can have networks of their own on this machine. */
import { ContainerNetwork } from "./container-network.ts";
import type { Namespace } from "./namespaces/namespace.ts";
import { prepareNamespace, takeNamespace } from "./namespaces/prepared.ts";
import { unmapped } from "./public-address.ts";

/** `own`: each container has its network namespace. `shared`: containers share the machine's network. */
export type NetworkKind = "own" | "shared";
/** `everyPort`: whether connections to every port are intercepted, or only those to usual ones. `reason`: why a container cannot have its own network. */
export type NetworkIsolation = { kind: "own"; everyPort?: boolean } | { kind: "shared"; reason: string | undefined };

/** For documentation (RFC 5737). */
const ELSEWHERE = "192.0.2.1";

let probed: Promise<NetworkIsolation> | undefined;

/** Probes the machine once, and prepares the network of the first container. */
export function probeNetwork(): Promise<NetworkIsolation> {
  probed ??= probe();
  return probed;
}

async function probe(): Promise<NetworkIsolation> {
  if (process.platform !== "linux") return { kind: "shared", reason: `${process.platform} has no network namespaces` };
  try {
    const namespace = await takeNamespace();
    const everyPort = namespace.listeners.some(({ port }) => port === "every");
    const address = await reachedAddress(namespace);
    if (address !== ELSEWHERE) return { kind: "shared", reason: `a connection to ${ELSEWHERE} reached ${address}` };
    prepareNamespace();
    return { kind: "own", everyPort };
  } catch (error) {
    return { kind: "shared", reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns the destination of a connection that a container would open. @throws Error with the reason when there is none */
async function reachedAddress(namespace: Namespace): Promise<string> {
  const accepted = Promise.withResolvers<string>();
  const network = new ContainerNetwork(namespace, {
    onConnection: (socket) => {
      accepted.resolve(unmapped(socket.localAddress ?? ""));
      socket.destroy();
    },
    onDnsConnection: (socket) => socket.destroy(),
    onDnsSocket: () => {},
  });
  try {
    const socket = await network.connect(80, ELSEWHERE);
    socket.on("error", (error) => accepted.reject(error));
    return await accepted.promise;
  } finally {
    network.close();
  }
}
