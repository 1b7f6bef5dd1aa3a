import { freePort } from "@tenantry/std/free-port";

/** Below those that systems give to connections and to listeners without a port of their own. */
const FIRST_PORT = 10_000;
const PORTS = 20_000;

/** A free port that no system hands out by itself, so that it is still free when its owner starts again. */
export async function reservedPort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
    if ((await freePort(port)) === port) return port;
  }
}
