import { readFileSync } from "node:fs";
import type { Socket } from "node:net";

const hex = (port: number | undefined): string => (port ?? 0).toString(16).toUpperCase().padStart(4, "0");

/** Loopback connections as the system lists them: both ports, and the bytes that the other end has not taken in. */
const CONNECTION = /^ *\d+: 0100007F:([\dA-F]{4}) 0100007F:([\dA-F]{4}) \w+ (\w+):/gm;

/**
 * Reads the system's list once for all sockets, and not at all for none: it has a line for every connection of the machine, which takes a
 * millisecond or two.
 *
 * @returns those of the sockets whose other end has not taken in everything; none where the system does not tell
 */
export function unsent(sockets: readonly Socket[]): Set<Socket> {
  if (sockets.length === 0) return new Set();
  const waiting = new Set<string>();
  try {
    for (const [, local, remote, bytes = "0"] of readFileSync("/proc/net/tcp", "latin1").matchAll(CONNECTION)) {
      if (Number.parseInt(bytes, 16) > 0) waiting.add(`${local} ${remote}`);
    }
  } catch {
    return new Set();
  }
  return new Set(sockets.filter(({ localPort, remotePort }) => waiting.has(`${hex(localPort)} ${hex(remotePort)}`)));
}
