import { readFileSync } from "node:fs";
import type { Socket } from "node:net";

const hex = (port: number | undefined): string => (port ?? 0).toString(16).toUpperCase().padStart(4, "0");

/** Loopback connections as the system lists them: both ports, and the bytes that the other end has not taken in. */
const CONNECTION = /^ *\d+: 0100007F:([\dA-F]{4}) 0100007F:([\dA-F]{4}) \w+ (\w+):/gm;

/**
 * Reads the system's list once for all sockets: it has a line for every connection of the machine.
 *
 * @returns those of the sockets whose other end has not taken in everything; none where the system does not tell
 */
export function unsent(sockets: Iterable<Socket>): Set<Socket> {
  const waiting = new Set<string>();
  try {
    for (const [, local, remote, bytes = "0"] of readFileSync("/proc/net/tcp", "latin1").matchAll(CONNECTION)) {
      if (Number.parseInt(bytes, 16) > 0) waiting.add(`${local} ${remote}`);
    }
  } catch {
    return new Set();
  }
  return new Set(
    [...sockets].filter(({ localPort, remotePort }) => waiting.has(`${hex(localPort)} ${hex(remotePort)}`)),
  );
}
