/** Carries out orders about the gateway: who may reach it, its restart, its key. */
import type { JWK } from "jose";
import type { SandboxPort } from "../../sandbox/port.ts";
import type { TicketKey } from "../tickets/ticket-key.ts";
import type { Hold } from "./hold.ts";
import type { GatewayLifecycle } from "./lifecycle.ts";
import type { TrafficGate } from "./traffic-gate.ts";

export interface GatewayControlOptions {
  sandbox: Pick<SandboxPort, "cut">;
  hold: Pick<Hold, "begin" | "end">;
  gate: Pick<TrafficGate, "admit">;
  lifecycle: Pick<GatewayLifecycle, "restart">;
  ticketKey: Pick<TicketKey, "jwk">;
  /** Prepares a restart that an administrator ordered. */
  beforeRestart: () => Promise<void>;
}

export class GatewayControl {
  readonly #o: GatewayControlOptions;

  constructor(options: GatewayControlOptions) {
    this.#o = options;
  }

  /** Allows starts again, as a call came that may reach the tenant. */
  async allow(): Promise<void> {
    await this.#o.hold.end();
  }

  /** Forbids starts while the tenant may not be reached. */
  async forbid(): Promise<void> {
    await this.#o.hold.begin();
  }

  /** Ends every connection to the gateway. */
  async cut(): Promise<void> {
    await this.#o.sandbox.cut();
  }

  /** Lets traffic pass. @param at when the health check began that found the gateway ready @returns whether it passes */
  admit(at: Date): Promise<boolean> {
    return this.#o.gate.admit(at);
  }

  async restart(): Promise<void> {
    await this.allow();
    await this.#o.beforeRestart();
    await this.#o.lifecycle.restart();
  }

  ticketKey(): Promise<JWK> {
    return this.#o.ticketKey.jwk();
  }
}
