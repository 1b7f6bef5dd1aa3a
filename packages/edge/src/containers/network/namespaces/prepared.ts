/** A namespace that is created before a container needs it: this would take half of the container's start. */
import { createNamespace, type Namespace } from "./namespace.ts";

export const DNS_PORT = 53;
/** Ports of other protocols than HTTP on the internet, for machines that cannot listen on every port. A program in a container cannot listen on them. */
const COMMON_PORTS = [22, 25, 110, 143, 465, 587, 993, 995, 1883, 5222, 6667, 6697, 8448, 8883, 9418];
const HTTP_PORTS = [80, 443];
const USUAL_PORTS = [DNS_PORT, ...HTTP_PORTS, ...COMMON_PORTS];

let prepared: Promise<Namespace> | undefined;

/** Prepares a namespace for the next container, unless there is one. */
export function prepareNamespace(): void {
  prepared ??= createNamespace(USUAL_PORTS);
  // Reported when it is taken.
  prepared.catch(() => {});
}

/** Returns a namespace. @param ports besides those of HTTP and common protocols @throws Error with the reason when the machine does not allow it */
export async function takeNamespace(ports: readonly number[] = []): Promise<Namespace> {
  const taking = prepared ?? createNamespace(USUAL_PORTS);
  prepared = undefined;
  const taken = await taking;
  const isComplete = (port: number) => taken.listeners.some((listener) => ["every", port].includes(listener.port));
  if (ports.every(isComplete)) return taken;
  taken.close();
  return createNamespace([...new Set([...USUAL_PORTS, ...ports])]);
}
