/** Runs the startup script with the gateway's environment. */
import type { StartAnswer } from "#workers/contracts/tenant/sandbox.ts";
import type { SandboxPort } from "../../sandbox/port.ts";
import type { TicketKey } from "../tickets/ticket-key.ts";
import type { EnvironmentMark } from "./environment.ts";

export interface GatewayLaunchOptions {
  sandbox: Pick<SandboxPort, "start">;
  ticketKey: Pick<TicketKey, "starting">;
  mark: EnvironmentMark;
  /** Variables of the gateway. */
  environment: Record<string, string>;
}

export class GatewayLaunch {
  readonly #o: GatewayLaunchOptions;

  constructor(options: GatewayLaunchOptions) {
    this.#o = options;
  }

  /** Whether the gateway that runs has the environment of an earlier deployment. */
  isOutdated(): Promise<boolean> {
    return this.#o.mark.isOutdated();
  }

  /** @param state variables for the state, as it was prepared */
  run(state: Record<string, string>): Promise<StartAnswer> {
    const { sandbox, ticketKey, mark, environment } = this.#o;
    return ticketKey.starting((variables) =>
      mark.starting(() => sandbox.start({ ...environment, ...variables, ...state })),
    );
  }
}
