/** The state at a start of the gateway. */
import type { FailureReports } from "../failure-reports.ts";
import { NoRoom } from "../restore/restorer.ts";
import type { RestoreStatusCache } from "../restore/status-cache.ts";
import type { ImageVersion } from "../upgrade/image-version.ts";
import { NewerState } from "../upgrade/newer-state.ts";
import type { StateUpgrade } from "../upgrade/state-upgrade.ts";
import type { Preparation } from "./preparation.ts";
import { StateNotReady } from "./state-not-ready.ts";

export interface StartStateOptions {
  preparation: Pick<Preparation, "prepare">;
  image: Pick<ImageVersion, "during">;
  upgrade: Pick<StateUpgrade, "started">;
  status: Pick<RestoreStatusCache, "set" | "forget">;
  failures: Pick<FailureReports, "stateIsNewer" | "restoreFailed">;
}

export class StartState {
  readonly #o: StartStateOptions;

  constructor(options: StartStateOptions) {
    this.#o = options;
  }

  /**
   * Prepares the state for a start. Call before each start, and {@link started} after the attempt.
   *
   * @returns variables for the startup script
   * @throws StateNotReady when the bucket or the sandbox fails, which may pass, or the state does not suit this image
   */
  async prepare(): Promise<Record<string, string>> {
    const { status, image, preparation } = this.#o;
    status.forget();
    try {
      const prepared = await image.during(() => preparation.prepare());
      status.set(prepared.status);
      return prepared.variables;
    } catch (error) {
      throw await this.#notReady(error);
    }
  }

  /** A start was ordered, or failed. */
  started(): void {
    this.#o.upgrade.started();
  }

  async #notReady(error: unknown): Promise<StateNotReady> {
    if (error instanceof StateNotReady) return error;
    if (error instanceof NoRoom)
      return new StateNotReady(
        "the backup needs more room than the disk has; a larger plan has more, and GET /api/admin/gateway/backups says how much is needed",
      );
    if (error instanceof NewerState) {
      await this.#o.failures.stateIsNewer(error.message);
      return new StateNotReady(error.message);
    }
    this.#o.failures.restoreFailed(error);
    return new StateNotReady("the backup could not be read or restored; it is tried again");
  }
}
