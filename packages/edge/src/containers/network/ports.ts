import { randomInt } from "node:crypto";
import { freePort } from "@tenantry/std/free-port";

/** Below the ephemeral range of Linux (`ip_local_port_range`), so that no other program takes a port by chance; the end is excluded. */
const RANGE = [20_000, 32_768] as const;

/** The ports on this machine on which containers listen, by the containers' names. */
export class ContainerPorts {
  readonly #ports = new Map<string, number>();

  /** Returns the port that was chosen last. */
  get(name: string): number | undefined {
    return this.#ports.get(name);
  }

  /** Chooses the port of a container that starts: the previous one, or another when a process uses that. */
  async choose(name: string): Promise<number> {
    for (let port = this.#ports.get(name); ; port = undefined) {
      port ??= randomInt(...RANGE);
      if ((await freePort(port)) !== port) continue;
      if ([...this.#ports].some(([other, taken]) => taken === port && other !== name)) continue;
      this.#ports.set(name, port);
      return port;
    }
  }
}
