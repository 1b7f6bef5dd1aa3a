/** What is known of the tenant's state outside of a start. Wakes nothing. */
import type { GatewayVersion, ProcessList } from "#workers/contracts/tenant/sandbox.ts";
import type { SandboxStatus } from "#workers/contracts/tenant/sandbox-status.ts";
import type { Troubles } from "./troubles.ts";
import type { ImageVersion } from "./upgrade/image-version.ts";
import type { StateUpgrade } from "./upgrade/state-upgrade.ts";

export interface StateInformationOptions {
  upgrade: Pick<StateUpgrade, "observed" | "status">;
  troubles: Pick<Troubles, "current">;
  image: Pick<ImageVersion, "known">;
}

export class StateInformation {
  readonly #o: StateInformationOptions;

  constructor(options: StateInformationOptions) {
    this.#o = options;
  }

  /** The processes were listed. @param at when the call began */
  async observed(list: ProcessList, at: Date): Promise<void> {
    await this.#o.upgrade.observed(list, at);
  }

  /** An upgrade or a trouble that keeps the gateway from being started with the state. */
  async hindrance(): Promise<Pick<SandboxStatus, "upgrade" | "trouble">> {
    const [upgrade, trouble] = await Promise.all([this.#o.upgrade.status(), this.#o.troubles.current()]);
    return { ...(upgrade && { upgrade }), ...(trouble && { trouble }) };
  }

  /** The gateway version that the image reported at the last start. */
  gateway(): Promise<GatewayVersion | undefined> {
    return this.#o.image.known();
  }
}
