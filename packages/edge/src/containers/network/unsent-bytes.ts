import { readFileSync } from "node:fs";
import type { Socket } from "node:net";

const portAsHex = (port: number | undefined): string => (port ?? 0).toString(16).toUpperCase().padStart(4, "0");

/** A loopback connection in `/proc/net/tcp`: both ports, and the bytes that the receiver has not acknowledged. */
const CONNECTION = /^ *\d+: 0100007F:([\dA-F]{4}) 0100007F:([\dA-F]{4}) \w+ (\w+):/gm;

/**
 * Returns the sockets whose receiver has not received everything; none when the system does not report it. Reads the list of the system once,
 * and not without sockets: it has a line per connection of the machine, which takes milliseconds.
 */
export function socketsWithUnsentBytes(sockets: readonly Socket[]): Set<Socket> {
  if (sockets.length === 0) return new Set();
  const waiting = new Set<string>();
  try {
    for (const [, local, remote, bytes = "0"] of readFileSync("/proc/net/tcp", "latin1").matchAll(CONNECTION)) {
      if (Number.parseInt(bytes, 16) > 0) waiting.add(`${local} ${remote}`);
    }
  } catch {
    return new Set();
  }
  return new Set(
    sockets.filter(({ localPort, remotePort }) => waiting.has(`${portAsHex(localPort)} ${portAsHex(remotePort)}`)),
  );
}
