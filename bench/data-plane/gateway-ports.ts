/** The ports of gateways, which only their containers' networks have. */
import { Inside } from "@tenantry/edge/testing/runtime";
import type { GatewayProcess } from "#workers/tenant/testing/gateway-processes.ts";
import type { Target } from "../client.ts";

export class GatewayPorts {
  readonly #known = new Map<number, { inside: Inside; connect: Required<Target>["connect"] }>();

  /** Returns how a client connects to the port of a gateway. */
  of({ pid, port }: Pick<GatewayProcess, "pid" | "port">): Required<Pick<Target, "port" | "connect">> {
    const { connect } = this.#known.get(pid) ?? this.#add(pid, port);
    return { port, connect };
  }

  #add(pid: number, port: number) {
    const inside = new Inside(pid);
    const added = { inside, connect: () => inside.connect(port) };
    this.#known.set(pid, added);
    return added;
  }

  close(): void {
    for (const { inside } of this.#known.values()) inside.close();
  }
}
