/** Replaces the ticket key of a running gateway when the binding has another version. */

import { TICKET_KEY_PATH } from "#workers/contracts/platform-headers.ts";
import { GATEWAY_PORT } from "#workers/contracts/tenant/health-snapshot.ts";
import { log } from "#workers/shared/log.ts";
import type { BackupMaker } from "../../backup/create/maker.ts";
import type { RecordEvent } from "../../event-log.ts";
import type { SandboxPort } from "../../sandbox/port.ts";
import type { GatewayLifecycle } from "../process/lifecycle.ts";
import type { TicketKey } from "./ticket-key.ts";

const ORDER_TIMEOUT_MS = 10_000;

export interface TicketKeyRotationOptions {
  key: Pick<TicketKey, "rotate">;
  sandbox: Pick<SandboxPort, "post">;
  lifecycle: Pick<GatewayLifecycle, "restart">;
  maker: Pick<BackupMaker, "backUp">;
  record: RecordEvent;
  waitUntil: (work: Promise<unknown>) => void;
}

export class TicketKeyRotation {
  readonly #o: TicketKeyRotationOptions;
  /** Process id of a gateway that does not support the order. */
  #unsupported: string | undefined;

  constructor(options: TicketKeyRotationOptions) {
    this.#o = options;
  }

  /** Begins a rotation if one is due. @param gateway process id of the running gateway */
  rotate(gateway: string): void {
    if (gateway !== this.#unsupported) this.#o.waitUntil(this.#rotate(gateway));
  }

  async #rotate(gateway: string): Promise<void> {
    const { key, sandbox, lifecycle, maker, record } = this.#o;
    try {
      const outcome = await key.rotate((order) =>
        sandbox.post(GATEWAY_PORT, TICKET_KEY_PATH, order, AbortSignal.timeout(ORDER_TIMEOUT_MS)),
      );
      if (outcome === "none") return;
      record(`ticket-key.${outcome}`, {});
      if (outcome === "unknown") this.#unsupported = gateway;
      // The gateway has another key than the Worker. A restart replaces it.
      if (outcome === "refused") await lifecycle.restart(() => maker.backUp({ reason: "before_stop" }).catch(() => {}));
    } catch (error) {
      log("error", "ticket-key.not-replaced", { message: String(error) });
    }
  }
}
