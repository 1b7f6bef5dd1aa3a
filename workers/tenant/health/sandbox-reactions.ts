/** Passes observations to those who act on the sandbox: its sleep, its resources, its state and its end. */
import type { LastBackup } from "../backup/last-backup.ts";
import type { StateInformation } from "../backup/state-information.ts";
import type { Scarcity } from "../sandbox/scarcity.ts";
import type { SleepControl } from "../sleep/control.ts";
import type { Observation } from "./observation.ts";

export interface SandboxReactionsOptions {
  sleep: Pick<SleepControl, "called" | "awake">;
  scarcity: Pick<Scarcity, "observed">;
  state: Pick<StateInformation, "observed">;
  lastBackup: Pick<LastBackup, "observed">;
}

export class SandboxReactions {
  readonly #o: SandboxReactionsOptions;

  constructor(options: SandboxReactionsOptions) {
    this.#o = options;
  }

  activated(): Promise<void> {
    return this.#o.sleep.called();
  }

  async observed({ processes, at }: Observation): Promise<void> {
    if (!processes.ok) return;
    const { sleep, scarcity, state, lastBackup } = this.#o;
    const list = processes.value;
    if (list.activity !== undefined) await sleep.awake();
    if (list.resources !== undefined) await scarcity.observed(list.resources);
    // Before traffic passes: an upgrade that is not complete would lose what the traffic writes.
    await state.observed(list, at);
    lastBackup.observed(list.ending ?? false, list.processes.length > 0);
  }
}
