import { readFileSync } from "node:fs";
import type { Socket } from "node:net";

const hex = (port: number | undefined): string => (port ?? 0).toString(16).toUpperCase().padStart(4, "0");

/** Bytes of a loopback connection that the other end has not taken in; 0 where the system does not tell, or it is gone. */
export function unsentBytes({ localPort, remotePort }: Socket): number {
  try {
    const connection = new RegExp(`^ *\\d+: 0100007F:${hex(localPort)} 0100007F:${hex(remotePort)} \\w+ (\\w+):`, "m");
    return Number.parseInt(connection.exec(readFileSync("/proc/net/tcp", "latin1"))?.[1] ?? "0", 16);
  } catch {
    return 0;
  }
}
