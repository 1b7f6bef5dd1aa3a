import { freePort } from "@tenantry/std/free-port";

/** Below the range from which systems choose ephemeral ports. */
const FIRST_PORT = 10_000;
const PORTS = 20_000;

/** Returns a free port outside the ephemeral range, so that it stays free while its owner restarts. */
export async function reservedPort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
    if ((await freePort(port)) === port) return port;
  }
}
